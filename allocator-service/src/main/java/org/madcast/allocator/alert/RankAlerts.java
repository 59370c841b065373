package org.madcast.allocator.alert;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.madcast.allocator.alert.Alert.Kind;
import org.madcast.allocator.statistics.IntervalSums;
import org.madcast.allocator.statistics.RankCount;
import org.madcast.allocator.statistics.RankSums;

/** What the sums of a communicator's last minutes tell. Pure. */
final class RankAlerts {

    private static final double LOSSY_PERCENT = 5;
    private static final double DEAD_PERCENT = 90;
    private static final long ENOUGH_FRAGMENTS = 100;

    private RankAlerts() {}

    /**
     * What a communicator is called, and who is around it.
     *
     * @param name its job and name
     * @param hosts the ranks' hosts
     * @param senders who sends on its group without being of it
     */
    record Who(String name, Map<Integer, String> hosts, List<String> senders) {

        static final Who UNKNOWN = new Who("", Map.of(), List.of());
    }

    /**
     * Looks at one communicator.
     *
     * @param who what it is called, and where its ranks are
     */
    static List<Alert> of(UUID communicator, Who who, IntervalSums sums) {
        List<Alert> alerts = new ArrayList<>();
        sums.ranks()
                .forEach((rank, counted) -> {
                    String host = who.hosts().getOrDefault(rank, "rank " + rank);
                    loss(communicator, who.name(), rank, host, counted, alerts);
                });
        total(communicator, who, sums, alerts);
        return alerts;
    }

    private static void loss(
            UUID communicator,
            String name,
            int rank,
            String host,
            RankSums counted,
            List<Alert> alerts) {
        if (counted.get(RankCount.FRAGMENTS_USEFUL) < ENOUGH_FRAGMENTS) {
            return;
        }
        double loss = counted.lossPercent();
        if (loss >= DEAD_PERCENT) {
            alerts.add(
                    new Alert(
                            Kind.MULTICAST_DEAD,
                            host,
                            String.format(
                                    Locale.ROOT,
                                    "rank %d of %s asked for %.0f %% of all fragments",
                                    rank,
                                    name,
                                    loss),
                            "Multicast does not reach this node: look at IGMP snooping, the"
                                    + " querier and the firewall on its path.",
                            communicator));
        } else if (loss >= LOSSY_PERCENT) {
            alerts.add(
                    new Alert(
                            Kind.NODE_LOSS,
                            host,
                            String.format(
                                    Locale.ROOT,
                                    "rank %d of %s lost %.1f %% of all fragments",
                                    rank,
                                    name,
                                    loss),
                            "Look at the node's receive buffer, its link and its switch port.",
                            communicator));
        }
    }

    private static void total(UUID communicator, Who who, IntervalSums sums, List<Alert> alerts) {
        String name = who.name();
        long foreign = sums.of(RankCount.FOREIGN);
        if (foreign > 0) {
            alerts.add(
                    new Alert(
                            Kind.FOREIGN_TRAFFIC,
                            name,
                            String.format(
                                    Locale.ROOT,
                                    "%d datagrams of another program came on its group%s",
                                    foreign,
                                    from(who.senders())),
                            "Another program sends to this group without a lease. The ranks"
                                    + " ignore it, but it takes bandwidth: find the program at that"
                                    + " address and stop it, or give it a lease.",
                            communicator));
        }
        long dropped = sums.of(RankCount.REPORTS_DROPPED);
        if (dropped > 0) {
            alerts.add(
                    new Alert(
                            Kind.REPORTS_DROPPED,
                            name,
                            String.format(Locale.ROOT, "its ranks gave up %d reports", dropped),
                            "The service was away or too slow; what is shown has gaps.",
                            communicator));
        }
    }

    private static String from(List<String> senders) {
        return senders.isEmpty() ? "" : ", sent from " + String.join(", ", senders);
    }
}
