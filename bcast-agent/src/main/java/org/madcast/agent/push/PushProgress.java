package org.madcast.agent.push;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.madcast.agent.terminal.Steps.Step;

/** How far a push is, for the eye and for {@link LaggardWatch}. Any thread. */
final class PushProgress {

    private final Step step;
    private final long totalBytes;
    private final long startNs = System.nanoTime();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong roundStreamBytes = new AtomicLong();
    private final AtomicLong earlierStreamBytes = new AtomicLong();

    PushProgress(Step step, long totalBytes) {
        this.step = step;
        this.totalBytes = totalBytes;
    }

    void beginRound() {
        earlierStreamBytes.addAndGet(roundStreamBytes.getAndSet(0));
    }

    /** The sender is so far. */
    void sent(long done, long streamBytes) {
        bytes.set(done);
        roundStreamBytes.set(streamBytes);
    }

    long roundStreamBytes() {
        return roundStreamBytes.get();
    }

    long streamBytes() {
        return earlierStreamBytes.get() + roundStreamBytes.get();
    }

    /** Shows it, with the rate and the slowest node. */
    void show(String slowest) {
        double seconds = (System.nanoTime() - startNs) / 1e9;
        double part = totalBytes == 0 ? 1 : (double) bytes.get() / totalBytes;
        step.progress(
                part,
                rate(streamBytes() / Math.max(seconds, 1e-3))
                        + (slowest.isEmpty() ? "" : ", slowest " + slowest));
    }

    static String rate(double bytesPerSecond) {
        double mbit = bytesPerSecond * 8 / 1e6;
        return mbit >= 1000
                ? String.format(Locale.ROOT, "%.2f Gbit/s", mbit / 1000)
                : String.format(Locale.ROOT, "%.1f Mbit/s", mbit);
    }
}
