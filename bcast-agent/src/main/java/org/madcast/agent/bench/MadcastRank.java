package org.madcast.agent.bench;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.madcast.client.Algorithm;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.DurationDistribution;

/** A rank of Madcast itself, which joins one communicator for each algorithm. */
public final class MadcastRank implements BroadcastSystem {

    private static final int ROOT = 0;

    private record Way(Communicator communicator, Algorithm algorithm) {}

    private final Map<String, Way> ways = new LinkedHashMap<>();

    private MadcastRank(List<String> algorithms) {
        Map<String, String> environment = System.getenv();
        for (String name : algorithms) {
            ways.put(name, new Way(join(environment, name), Algorithm.of(name)));
        }
    }

    /** The ranks meet at rank 0; every communicator has a port of its own there. */
    private Communicator join(Map<String, String> environment, String name) {
        Map<String, String> own = new HashMap<>(environment);
        String root = environment.getOrDefault("MADCAST_ROOT", "");
        int colon = root.lastIndexOf(':');
        int port = Integer.parseInt(root.substring(colon + 1)) + ways.size();
        own.put("MADCAST_ROOT", root.substring(0, colon + 1) + port);
        own.put("MADCAST_COMMUNICATOR", name);
        return Communicator.join(CommunicatorConfig.fromEnvironment(own));
    }

    /** Takes part; the arguments are those of {@link BenchRank#run}. */
    public static void main(String[] arguments) {
        BenchRank.run(arguments, algorithms -> new MadcastRank(algorithms));
    }

    @Override
    public void broadcast(String algorithm, MemorySegment message) {
        Way way = ways.get(algorithm);
        if (way == null) {
            throw new IllegalArgumentException("not joined for " + algorithm);
        }
        way.communicator.bcast(message, ROOT, way.algorithm);
    }

    private Stream<Communicator> communicators() {
        return ways.values().stream().map(Way::communicator);
    }

    @Override
    public int datagramBytes() {
        return communicators()
                .mapToInt(communicator -> communicator.info().local().datagramBytes())
                .min()
                .orElseThrow();
    }

    @Override
    public long repairs() {
        return communicators()
                .mapToLong(communicator -> communicator.statistics().repairsReceived())
                .sum();
    }

    @Override
    public DurationDistribution repairTimes() {
        return communicators()
                .map(communicator -> communicator.statistics().repairTimes())
                .reduce(DurationDistribution.EMPTY, DurationDistribution::plus);
    }

    @Override
    public void close() {
        communicators().forEach(Communicator::close);
    }
}
