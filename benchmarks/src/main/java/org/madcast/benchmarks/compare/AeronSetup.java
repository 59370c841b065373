package org.madcast.benchmarks.compare;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * How a rank runs Aeron.
 *
 * @param longestIdleNs how long an idle thread sleeps at most; 0 leaves Aeron's defaults
 */
record AeronSetup(ThreadingMode threading, long longestIdleNs) {

    private static final int DATAGRAM_BYTES = 1472;
    private static final int BUFFER_BYTES = 2 << 20;
    private static final long PATIENCE_MS = 60_000;

    /** The configuration of that name. */
    static AeronSetup parse(String name) {
        String[] parts = name.split("/", 2);
        long idleNs =
                parts.length == 2 ? TimeUnit.MICROSECONDS.toNanos(Long.parseLong(parts[1])) : 0;
        return switch (parts[0]) {
            case "default" -> new AeronSetup(ThreadingMode.DEDICATED, 0);
            case "shared" -> new AeronSetup(ThreadingMode.SHARED, Math.max(1, idleNs));
            case "invoker" -> new AeronSetup(ThreadingMode.INVOKER, Math.max(1, idleNs));
            default ->
                    throw new IllegalArgumentException(
                            "'" + name + "' is none of default, shared/N, invoker/N");
        };
    }

    boolean isInvoked() {
        return threading == ThreadingMode.INVOKER;
    }

    private boolean isDefault() {
        return longestIdleNs == 0;
    }

    /** For whoever waits in a loop; each needs its own. */
    IdleStrategy idle() {
        return isDefault()
                ? new BackoffIdleStrategy()
                : new BackoffIdleStrategy(1, 1, Math.min(1000, longestIdleNs), longestIdleNs);
    }

    /** A driver with its files in this directory. */
    MediaDriver driver(String directory) {
        MediaDriver.Context context =
                new MediaDriver.Context()
                        .aeronDirectoryName(directory)
                        .dirDeleteOnStart(true)
                        .dirDeleteOnShutdown(true)
                        .threadingMode(threading)
                        .termBufferSparseFile(true);
        context.publicationUnblockTimeoutNs(2 * TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
        context.driverTimeoutMs(PATIENCE_MS)
                .clientLivenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS))
                .imageLivenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
        if (!isDefault()) {
            context.mtuLength(DATAGRAM_BYTES)
                    .socketSndbufLength(BUFFER_BYTES)
                    .socketRcvbufLength(BUFFER_BYTES)
                    .initialWindowLength(BUFFER_BYTES)
                    .sharedIdleStrategy(idle());
        }
        return MediaDriver.launch(context);
    }

    /** A client of that driver. */
    Aeron client(MediaDriver driver) {
        Aeron.Context context =
                new Aeron.Context()
                        .aeronDirectoryName(driver.aeronDirectoryName())
                        .driverTimeoutMs(PATIENCE_MS);
        if (isInvoked()) {
            context.useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker());
        }
        return Aeron.connect(context);
    }
}
