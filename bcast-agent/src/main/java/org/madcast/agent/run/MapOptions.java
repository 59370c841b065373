package org.madcast.agent.run;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.profile.Traffic;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option by which ranks take their places by what they exchange. */
final class MapOptions {

    @Option(
            names = "--map",
            paramLabel = "FOLDER",
            description =
                    "Put ranks that exchange much on one host or on near ones, by the profiles that an"
                            + " earlier run has left here (MADCAST_PROFILE). Which hosts are near is known"
                            + " from MADCAST_TOPOLOGY or the service; without, all are equally far. A host"
                            + " gets as many ranks as it would have otherwise.")
    private @Nullable Path profiles;

    /** Where ranks go; as they are numbered unless the option is given. */
    RankPlaces places(
            CommandSpec spec,
            RankPlaces inOrder,
            int ranks,
            int spares,
            @Nullable URI service,
            Consumer<String> remarks)
            throws InterruptedException {
        Path folder = profiles;
        if (folder == null) {
            return inOrder;
        }
        Traffic traffic = Traffic.read(folder);
        if (traffic.ranks() != ranks && traffic.ranks() != ranks + spares) {
            throw Arguments.wrong(
                    spec,
                    "%s has profiles of a job with -n %d, not %d"
                            .formatted(folder, traffic.ranks(), ranks));
        }
        if (!inOrder.areSeveralHosts()) {
            throw Arguments.wrong(spec, "--map needs several hosts: --hostfile or --lab");
        }
        Map<List<String>, Integer> hosts = new LinkedHashMap<>();
        int[] hostOfPlace = new int[traffic.ranks()];
        for (int place = 0; place < hostOfPlace.length; place++) {
            hostOfPlace[place] = hosts.computeIfAbsent(inOrder.names(place), _ -> hosts.size());
        }
        KnownTopology topology =
                topology(service, List.copyOf(hosts.keySet()), remarks).orElse(null);
        int[] places =
                RankMapping.places(
                        traffic,
                        hostOfPlace,
                        topology == null
                                ? (one, other) -> one == other ? 0 : 1
                                : topology.distance());
        remarks.accept(gain(traffic, hostOfPlace, places, topology));
        return inOrder.permuted(
                IntStream.range(0, ranks + spares)
                        .map(rank -> rank < places.length ? places[rank] : rank)
                        .boxed()
                        .toList());
    }

    private static Optional<KnownTopology> topology(
            @Nullable URI service, List<List<String>> hosts, Consumer<String> remarks)
            throws InterruptedException {
        String file = System.getenv("MADCAST_TOPOLOGY");
        if (file != null && !file.isEmpty()) {
            return Optional.of(KnownTopology.read(Path.of(file), hosts));
        }
        if (service == null) {
            return Optional.empty();
        }
        String token = System.getenv("MADCAST_TOKEN");
        try {
            return KnownTopology.find(
                    new ServiceClient(service, token == null || token.isEmpty() ? null : token),
                    hosts);
        } catch (CommandFailure unavailable) {
            remarks.accept("no topology is known: " + unavailable.getMessage());
            return Optional.empty();
        }
    }

    /** How many bytes go between hosts, and between switches where those are known. */
    private static String gain(
            Traffic traffic, int[] hostOfPlace, int[] places, @Nullable KnownTopology topology) {
        long[] inOrder = new long[2];
        long[] mapped = new long[2];
        for (Traffic.Exchange each : traffic.exchanges()) {
            add(inOrder, each, hostOfPlace[each.one()], hostOfPlace[each.other()], topology);
            add(
                    mapped,
                    each,
                    hostOfPlace[places[each.one()]],
                    hostOfPlace[places[each.other()]],
                    topology);
        }
        String hosts =
                "ranks are mapped: %s between hosts instead of %s"
                        .formatted(Units.size(mapped[0]), Units.size(inOrder[0]));
        return topology == null
                ? hosts
                : hosts
                        + ", %s between switches instead of %s"
                                .formatted(Units.size(mapped[1]), Units.size(inOrder[1]));
    }

    private static void add(
            long[] sums, Traffic.Exchange each, int one, int other, @Nullable KnownTopology known) {
        if (one != other) {
            sums[0] += each.bytes();
            if (known != null && !known.areNeighbours(one, other)) {
                sums[1] += each.bytes();
            }
        }
    }
}
