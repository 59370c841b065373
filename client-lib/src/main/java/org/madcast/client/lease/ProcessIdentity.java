package org.madcast.client.lease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which host and process this is, found without asking a name server.
 *
 * @param host the host's own name, {@code unknown} when it has none
 * @param pid the process's number on it
 */
record ProcessIdentity(String host, long pid) {

    private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    static ProcessIdentity ofThisProcess() {
        return new ProcessIdentity(hostName(), ProcessHandle.current().pid());
    }

    private static String hostName() {
        if (Files.isReadable(KERNEL_HOSTNAME)) {
            try {
                return Files.readString(KERNEL_HOSTNAME).trim();
            } catch (IOException unreadable) {
                return fromEnvironment();
            }
        }
        return fromEnvironment();
    }

    private static String fromEnvironment() {
        String host = System.getenv("HOSTNAME");
        String windowsHost = System.getenv("COMPUTERNAME");
        return host != null ? host : windowsHost != null ? windowsHost : "unknown";
    }

    @Override
    public String toString() {
        return host + ":" + pid;
    }
}
