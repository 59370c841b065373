package org.madcast.agent.push;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.madcast.agent.terminal.Steps.Step;
import org.madcast.agent.terminal.Units;

/** How far a push is, for the eye and for {@link LaggardWatch}. Any thread. */
final class PushProgress {

    private final Step step;
    private final long totalBytes;
    private final long startNs = System.nanoTime();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong roundStreamBytes = new AtomicLong();
    private final PushNotices notices;
    private volatile double share = 1;
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicLong earlierStreamBytes = new AtomicLong();

    PushProgress(Step step, long totalBytes, PushNotices notices) {
        this.notices = notices;
        this.step = step;
        this.totalBytes = totalBytes;
    }

    /**
     * Another attempt begins.
     *
     * @param share of the nodes that take part: what the others lack is not done
     */
    void beginRound(double share) {
        this.share = share;
        int _ = rounds.incrementAndGet();
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
        double part = totalBytes == 0 ? share : share * bytes.get() / totalBytes;
        step.progress(
                part,
                Units.rate(streamBytes() / Math.max(seconds, 1e-3))
                        + (slowest.isEmpty() ? "" : ", slowest " + slowest));
    }

    /** Tells the service, with what each node that is left has taken. */
    void tell(Map<String, Long> taken) {
        notices.running(Math.round(share * bytes.get()), streamBytes(), rounds.get(), taken);
    }
}
