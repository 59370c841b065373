package org.madcast.agent.probe;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which share of the datagrams arrived, for each aspect, sender and receiver. What was never tried
 * counts as not arrived. For one thread.
 */
final class ProbeMatrix {

    private record Cell(Aspect aspect, int sender, int receiver) {}

    private final int size;
    private final Map<Cell, Double> shares = new HashMap<>();

    ProbeMatrix(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    void set(Aspect aspect, int sender, int receiver, double share) {
        shares.put(new Cell(aspect, sender, receiver), share);
    }

    double share(Aspect aspect, int sender, int receiver) {
        return shares.getOrDefault(new Cell(aspect, sender, receiver), 0.0);
    }

    /** Whether anything arrived; of several datagrams one gets through a network that is lossy. */
    boolean passes(Aspect aspect, int sender, int receiver) {
        return share(aspect, sender, receiver) > 0;
    }

    /** Whether anything arrived from this point at any other one. */
    boolean isHeard(Aspect aspect, int sender) {
        return others(sender).anyMatch(other -> passes(aspect, sender, other));
    }

    /** Whether anything arrived at this point from any other one. */
    boolean hears(Aspect aspect, int receiver) {
        return others(receiver).anyMatch(other -> passes(aspect, other, receiver));
    }

    IntStream others(int point) {
        return IntStream.range(0, size).filter(other -> other != point);
    }
}
