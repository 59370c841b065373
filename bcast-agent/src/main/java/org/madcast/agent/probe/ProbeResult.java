package org.madcast.agent.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a probe saw.
 *
 * @param tried what was tried with
 * @param facts of each point; the first is where the probe was started
 * @param matrix what arrived
 * @param steps rates that were tried, rising
 * @param overflowed datagrams that a point lost since its receive buffer was full, by point
 * @param queries how many queries were heard of each querier
 * @param listened how long queries were listened for
 * @param watch how long multicast was watched, and where it stopped
 */
record ProbeResult(
        Tried tried,
        List<ProbeFacts> facts,
        ProbeMatrix matrix,
        List<RateStep> steps,
        List<Long> overflowed,
        Map<String, Integer> queries,
        Duration listened,
        Optional<Watch> watch) {

    /**
     * What was tried with.
     *
     * @param group as it was named or drawn, with its port
     * @param ttl of the datagrams to it
     */
    record Tried(String group, int ttl) {}

    /**
     * The first point sends to all others at a rate.
     *
     * @param offeredBitsPerSecond at which it sent
     * @param arrived for each point, the rate between the first and the last datagram that arrived
     * @param shares for each point, how much arrived at all
     */
    record RateStep(long offeredBitsPerSecond, List<Double> arrived, List<Double> shares) {

        private static final double CARRIED = 0.8;

        /** Of several trials of one rate: what each point got at its best, and lost in all. */
        static RateStep together(List<RateStep> trials) {
            RateStep first = trials.getFirst();
            List<Double> arrived = new ArrayList<>();
            List<Double> shares = new ArrayList<>();
            for (int i = 0; i < first.arrived().size(); i++) {
                int point = i;
                arrived.add(
                        trials.stream().mapToDouble(it -> it.arrived().get(point)).max().orElse(0));
                shares.add(
                        trials.stream()
                                .mapToDouble(it -> it.shares().get(point))
                                .average()
                                .orElse(0));
            }
            return new RateStep(first.offeredBitsPerSecond(), arrived, shares);
        }

        /** The rate at the best receiver; the sender hears itself, which says nothing. */
        double bestBitsPerSecond() {
            return arrived.stream().skip(1).mapToDouble(rate -> rate).max().orElse(0);
        }

        /** Whether the network as a whole carries the rate. */
        boolean isCarried() {
            return bestBitsPerSecond() > CARRIED * offeredBitsPerSecond;
        }
    }

    /**
     * A group's life: the first point sends a datagram now and then, and no point joins again.
     *
     * @param lasted how long
     * @param silentFor for each point, how long before the end the last datagram arrived
     */
    record Watch(Duration lasted, List<Duration> silentFor) {}

    String name(int point) {
        return facts.get(point).node();
    }

    boolean anybodyHearsQueriers() {
        return facts.stream().anyMatch(ProbeFacts::hearsQueriers);
    }
}
