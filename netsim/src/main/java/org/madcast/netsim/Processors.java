package org.madcast.netsim;

import java.util.ArrayDeque;

/**
 * Processors that all hosts share, as those of a lab on one machine do. A host that has something
 * to do waits for its turn in the order in which they asked, needs a while to wake up, and keeps
 * the processor as long as it has something to do, or for a slice of time when others wait.
 */
final class Processors {

    /** For so long Linux lets a process run when others wait. */
    private static final long SLICE_NS = 3_000_000;

    private final Kernel kernel;
    private final long wakeNs;
    private final ArrayDeque<Host> waiting = new ArrayDeque<>();
    private int free;

    Processors(Kernel kernel, int count, long wakeNs) {
        this.kernel = kernel;
        this.free = count;
        this.wakeNs = wakeNs;
    }

    /** Whether a host waits for one. */
    boolean areWanted() {
        return !waiting.isEmpty();
    }

    void ask(Host host) {
        waiting.add(host);
        assign();
    }

    void giveBack() {
        free++;
        assign();
    }

    private void assign() {
        while (free > 0 && !waiting.isEmpty()) {
            free--;
            long awakeNs = kernel.nowNs() + wakeNs;
            waiting.remove().beginTurn(awakeNs, awakeNs + SLICE_NS);
        }
    }
}
