package org.madcast.allocator.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.madcast.allocator.alert.Alert.Kind;
import org.madcast.allocator.fleet.FleetService;
import org.madcast.allocator.fleet.ProbeResult;

/** What the agents' words, or their silence, tell. Pure. */
final class FleetAlerts {

    /** Older probes tell of the past. */
    private static final Duration PRESENT = Duration.ofHours(1);

    /** What a probe finds that means: multicast does not pass. */
    private static final Map<String, Kind> GRAVE =
            Map.of(
                    "no-multicast", Kind.MULTICAST_DEAD,
                    "blocked-group", Kind.MULTICAST_DEAD,
                    "asymmetric", Kind.MULTICAST_DEAD,
                    "loss", Kind.NODE_LOSS);

    private FleetAlerts() {}

    static List<Alert> silent(List<FleetService.Node> nodes) {
        return nodes.stream()
                .filter(FleetService.Node::silent)
                .map(it ->
                        new Alert(
                                Kind.NODE_SILENT,
                                it.heartbeat().name(),
                                String.format(
                                        Locale.ROOT,
                                        "its agent spoke every %d s and is silent since %tR UTC",
                                        it.heartbeat().intervalSeconds(),
                                        it.seenAt().atOffset(java.time.ZoneOffset.UTC)),
                                "The agent was killed, its node is down, or cannot reach the"
                                        + " service. It is forgotten after a day.",
                                null))
                .toList();
    }

    /** The latest probe of a node counts, whatever an earlier one said. */
    static List<Alert> probed(List<FleetService.Probe> latestFirst, Instant now) {
        List<Alert> alerts = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (FleetService.Probe probe : latestFirst) {
            if (Duration.between(probe.at(), now).compareTo(PRESENT) < 0) {
                for (ProbeResult.Finding finding : probe.result().findings()) {
                    add(finding, known, alerts);
                }
            }
            probe.result().nodes().forEach(it -> known.add(it.node()));
        }
        return alerts;
    }

    private static void add(ProbeResult.Finding finding, Set<String> known, List<Alert> alerts) {
        Kind kind = GRAVE.get(finding.trouble());
        if (kind == null) {
            return;
        }
        for (String node : finding.nodes()) {
            if (!known.contains(node)) {
                alerts.add(new Alert(kind, node, "probe: " + finding.what(), finding.cure(), null));
            }
        }
    }
}
