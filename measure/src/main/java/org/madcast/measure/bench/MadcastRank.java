package org.madcast.measure.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.DurationDistribution;
import org.madcast.client.ElementType;
import org.madcast.client.MessageStatus;
import org.madcast.client.ReduceOperation;

/** A rank of Madcast itself, which joins one communicator for each algorithm. */
public final class MadcastRank implements BroadcastSystem {

    private static final int MOST_UNDER_WAY = 64;
    private static final ReduceOperation SUM = ReduceOperation.sum(ElementType.DOUBLE);

    /** Ends the label of an algorithm that goes by the ranks' numbers although cables are known. */
    static final String BY_RANK = "_by_rank";

    private record Way(Communicator communicator, @Nullable Algorithm algorithm) {}

    private final Map<String, Way> ways = new LinkedHashMap<>();

    private MadcastRank(List<String> algorithms) {
        Map<String, String> environment = System.getenv();
        for (String name : algorithms) {
            ways.put(name, way(environment, name));
        }
    }

    /** All calls that name no algorithm share a communicator. */
    private Way way(Map<String, String> environment, String name) {
        if (MeasuredCall.of(name).isEmpty()) {
            Map<String, String> own = new HashMap<>(environment);
            if (name.endsWith(BY_RANK)) {
                own.remove("MADCAST_TOPOLOGY");
            }
            return new Way(join(own, name), Algorithm.of(name.replace(BY_RANK, "")));
        }
        MeasuredWay measured = MeasuredWay.of(name);
        if (measured.algorithm() != null) {
            return new Way(joinFor(measured, environment), null);
        }
        return new Way(
                ways.entrySet().stream()
                        .filter(other -> other.getValue().algorithm == null)
                        .filter(other -> other.getKey().indexOf('/') < 0)
                        .findAny()
                        .map(other -> other.getValue().communicator)
                        .orElseGet(() -> join(environment, name)),
                null);
    }

    /** In a communicator of its own, whose selection table names the algorithm. */
    private Communicator joinFor(MeasuredWay measured, Map<String, String> environment) {
        Map<String, String> own = new HashMap<>(environment);
        try {
            Path table = Files.createTempFile("madcast-", ".table");
            try {
                Files.writeString(table, measured.table());
                own.put("MADCAST_SELECTION_FILE", table.toString());
                return join(own, measured.label());
            } finally {
                Files.delete(table);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The ranks meet at rank 0; every communicator has a port of its own there. */
    private Communicator join(Map<String, String> environment, String name) {
        Map<String, String> own = new HashMap<>(environment);
        String root = environment.getOrDefault("MADCAST_ROOT", "");
        int colon = root.lastIndexOf(':');
        int port = Integer.parseInt(root.substring(colon + 1)) + ways.size();
        own.put("MADCAST_ROOT", root.substring(0, colon + 1) + port);
        own.put("MADCAST_COMMUNICATOR", name.replace('/', '-'));
        return Communicator.join(CommunicatorConfig.fromEnvironment(own));
    }

    /** Takes part; the arguments are those of {@link BenchRank#run}. */
    public static void main(String[] arguments) {
        BenchRank.run(arguments, algorithms -> new MadcastRank(algorithms));
    }

    @Override
    public void broadcast(String algorithm, MemorySegment message) {
        broadcast(algorithm, message, 0);
    }

    @Override
    public void broadcast(String algorithm, MemorySegment message, int root) {
        Way way = way(algorithm);
        if (way.algorithm == null) {
            throw new IllegalArgumentException(algorithm + " is no algorithm of a broadcast");
        }
        way.communicator.bcast(message, root, way.algorithm);
    }

    @Override
    public void meet(String algorithm) {
        way(algorithm).communicator.barrier();
    }

    private Way way(String name) {
        Way way = ways.get(name);
        if (way == null) {
            throw new IllegalArgumentException("not joined for " + name);
        }
        return way;
    }

    @Override
    public void call(
            String label, MemorySegment sent, MemorySegment received, int root, int count) {
        Communicator all = way(label).communicator;
        MeasuredCall call = MeasuredCall.of(label).orElseThrow();
        if (call == MeasuredCall.IBCAST) {
            broadcastManyAtOnce(all, received, root, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            call(all, call, sent, received, call == MeasuredCall.BCAST_TURNS ? i : root);
        }
    }

    @Override
    public CompletableFuture<Void> begin(
            String algorithm, MemorySegment sent, MemorySegment received, int root) {
        Way way = way(algorithm);
        Communicator all = way.communicator;
        if (way.algorithm != null) {
            return all.ibcast(received, root, way.algorithm);
        }
        MeasuredCall call = MeasuredCall.of(algorithm).orElseThrow();
        return switch (call) {
            case BARRIER -> all.ibarrier();
            case GATHER -> all.igather(sent, received, root);
            case SCATTER -> all.iscatter(sent, received, root);
            case ALLGATHER -> all.iallgather(sent, received);
            case ALLTOALL -> all.ialltoall(sent, received);
            case REDUCE -> all.ireduce(sent, received, SUM, root);
            case ALLREDUCE -> all.iallreduce(sent, received, SUM);
            case REDUCE_SCATTER -> all.ireduceScatter(sent, received, SUM);
            case SCAN -> all.iscan(sent, received, SUM);
            case IBCAST -> all.ibcast(received, root);
            case BCAST_TURNS, PINGPONG ->
                    BroadcastSystem.super.begin(algorithm, sent, received, root);
        };
    }

    private static void broadcastManyAtOnce(
            Communicator all, MemorySegment message, int root, int count) {
        ArrayDeque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            if (underWay.size() == MOST_UNDER_WAY) {
                underWay.remove().join();
            }
            underWay.add(all.ibcast(message, root));
        }
        underWay.forEach(CompletableFuture::join);
    }

    private static void call(
            Communicator all,
            MeasuredCall call,
            MemorySegment sent,
            MemorySegment received,
            int root) {
        switch (call) {
            case BARRIER -> all.barrier();
            case GATHER -> all.gather(sent, received, root);
            case SCATTER -> all.scatter(sent, received, root);
            case ALLGATHER -> all.allgather(sent, received);
            case ALLTOALL -> all.alltoall(sent, received);
            case REDUCE -> all.reduce(sent, received, SUM, root);
            case ALLREDUCE -> all.allreduce(sent, received, SUM);
            case REDUCE_SCATTER -> all.reduceScatter(sent, received, SUM);
            case SCAN -> all.scan(sent, received, SUM);
            case BCAST_TURNS, IBCAST -> all.bcast(received, root % all.size());
            case PINGPONG -> exchange(all, sent, received);
        }
    }

    private static void exchange(Communicator all, MemorySegment sent, MemorySegment received) {
        if (all.rank() == 0) {
            all.send(sent, 1, 0);
            MessageStatus _ = all.recv(received, 1, 0);
        } else if (all.rank() == 1) {
            MessageStatus _ = all.recv(received, 0, 0);
            all.send(received, 0, 0);
        }
    }

    private Stream<Communicator> communicators() {
        return ways.values().stream().map(Way::communicator).distinct();
    }

    @Override
    public int datagramBytes() {
        return communicators()
                .mapToInt(communicator -> communicator.info().local().datagramBytes())
                .min()
                .orElseThrow();
    }

    @Override
    public String interfaceName() {
        return communicators().findFirst().orElseThrow().info().local().interfaceName();
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
