package org.madcast.client.lock;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread that waits polls before it sleeps: not at all while it does not get a processor
 * whenever it wants one. Then others need the processors, and it gets its turn sooner when it
 * sleeps. For one thread at a time.
 */
public final class Polling {

    private static final System.Logger LOG = System.getLogger(Polling.class.getName());

    /** On Linux: ns on a processor, ns of waiting for one, turns. */
    private static final Path STATISTICS = Path.of("/proc/thread-self/schedstat");

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Waking up takes less of the time, also where it is slow. */
    private static final int MOST_PERCENT = 25;

    private final long longestNs;
    private final Path statistics;
    private @Nullable Thread thread;
    private long sinceNs;
    private long waitedNs;
    private long pausedUntilNs;

    /**
     * By what the kernel counts.
     *
     * @param longestNs how long to poll where processors are free; 0: never
     */
    public Polling(long longestNs) {
        this(longestNs, System.nanoTime(), STATISTICS);
    }

    /**
     * By another count.
     *
     * @param nowNs when it begins
     * @param statistics a file in the kernel's form; one that does not exist forbids nothing
     */
    public Polling(long longestNs, long nowNs, Path statistics) {
        this.longestNs = longestNs;
        this.statistics = statistics;
        this.pausedUntilNs = nowNs;
    }

    /**
     * How long the present thread may poll now, in ns; 0: not at all. From time to time the
     * statistics are read for it.
     */
    public long allowedNs(long nowNs) {
        return longestNs > 0 && isFree(nowNs) ? longestNs : 0;
    }

    private boolean isFree(long nowNs) {
        if (nowNs - pausedUntilNs < 0) {
            return false;
        }
        if (!Thread.currentThread().equals(thread)) {
            begin(nowNs, waitedNs());
        } else if (nowNs - sinceNs > INTERVAL_NS) {
            long nextNs = waitedNs();
            if ((nextNs - waitedNs) * 100 > (nowNs - sinceNs) * MOST_PERCENT) {
                pausedUntilNs = nowNs + PAUSE_NS;
                thread = null;
                return false;
            }
            begin(nowNs, nextNs);
        }
        return true;
    }

    private void begin(long nowNs, long nextNs) {
        thread = Thread.currentThread();
        sinceNs = nowNs;
        waitedNs = nextNs;
    }

    /** How long this thread has waited for a processor; 0 where the kernel does not say. */
    private long waitedNs() {
        try {
            return Long.parseLong(Files.readString(statistics).split(" ", -1)[1]);
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException unknown) {
            LOG.log(Level.TRACE, "how long a thread waits for a processor is unknown", unknown);
            return 0;
        }
    }
}
