package org.madcast.agent.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** Finds the process that listens on a TCP port of this machine, from Linux's /proc. */
final class PortHolder {

    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENING = "0A";

    private PortHolder() {}

    /**
     * Checks that no process listens on this port of the loopback address.
     *
     * @throws CommandFailure naming the process that does
     */
    static void requireFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            String holder = find(port).orElse("a process of another user");
            throw new CommandFailure(
                    ExitCode.PORT_IN_USE,
                    "port "
                            + port
                            + " is in use by "
                            + holder
                            + "; end it, or choose another one with --port",
                    e);
        }
    }

    /** The process that listens on the port, such as {@code java (pid 123)}. */
    static Optional<String> find(int port) {
        Set<String> sockets = new HashSet<>();
        addListening(Path.of("/proc/net/tcp"), port, sockets);
        addListening(Path.of("/proc/net/tcp6"), port, sockets);
        return ProcessHandle.allProcesses()
                .filter(process -> holdsOneOf(process.pid(), sockets))
                .findFirst()
                .map(process -> name(process) + " (pid " + process.pid() + ")");
    }

    private static void addListening(Path table, int port, Set<String> sockets) {
        String hexPort = String.format(Locale.ROOT, ":%04X", port);
        try {
            for (String line : Files.readAllLines(table)) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE
                        && fields[STATE].equals(LISTENING)
                        && fields[LOCAL_ADDRESS].endsWith(hexPort)) {
                    sockets.add("socket:[" + fields[INODE] + "]");
                }
            }
        } catch (IOException _) {
            // Not Linux, or no IPv6: then none is found.
        }
    }

    private static boolean holdsOneOf(long pid, Set<String> sockets) {
        if (sockets.isEmpty()) {
            return false;
        }
        try (DirectoryStream<Path> open =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : open) {
                if (sockets.contains(target(descriptor))) {
                    return true;
                }
            }
        } catch (IOException _) {
            // It has ended, or belongs to another user.
        }
        return false;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return "";
        }
    }

    private static String name(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .orElse("a process");
    }
}
