package org.madcast.packaging;

import java.time.Duration;
import java.util.List;

/** Ends processes that tests have started. */
final class Daemons {

    private Daemons() {}

    /** Tells it to end, forces it after the limit, and leaves no child of it behind. */
    static void end(Process daemon, Duration limit) {
        List<ProcessHandle> children = daemon.descendants().toList();
        daemon.destroy();
        try {
            if (!daemon.waitFor(limit)) {
                daemon.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            daemon.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
