package org.madcast.agent.probe;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/** The TCP congestion control that the kernel gives to new connections. */
final class CongestionControl {

    private static final System.Logger LOG = System.getLogger(CongestionControl.class.getName());
    private static final Path SETTING = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private CongestionControl() {}

    /** Its name in this process's network namespace, empty if it is unknown. */
    static String ofThisHost() {
        return read(SETTING);
    }

    /** The name that a file contains, empty if the file cannot be read. */
    static String read(Path setting) {
        try {
            return Files.readString(setting).strip();
        } catch (IOException unreadable) {
            // Another system than Linux, or a container that hides the file.
            LOG.log(Level.DEBUG, "the congestion control of TCP is unknown", unreadable);
            return "";
        }
    }
}
