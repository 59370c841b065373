package org.madcast.benchmarks.compare;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where a rank is, as its environment says.
 *
 * @param root where rank 0 may be met
 */
record RankPlace(int rank, int size, InetAddress address, InetSocketAddress root) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int CONNECT_MS = 2000;

    /** This process's place. */
    static RankPlace ofThisProcess() throws IOException {
        Map<String, String> environment = System.getenv();
        String root = environment.getOrDefault("MADCAST_ROOT", "127.0.0.1:47500");
        int colon = root.lastIndexOf(':');
        return new RankPlace(
                Integer.parseInt(environment.getOrDefault("MADCAST_RANK", "0")),
                Integer.parseInt(environment.getOrDefault("MADCAST_SIZE", "1")),
                addressOf(environment.getOrDefault("MADCAST_INTERFACE", "lo")),
                new InetSocketAddress(
                        root.substring(0, colon), Integer.parseInt(root.substring(colon + 1))));
    }

    private static InetAddress addressOf(String interfaceName) throws IOException {
        NetworkInterface network = NetworkInterface.getByName(interfaceName);
        if (network == null) {
            throw new IOException("no interface " + interfaceName);
        }
        return network.inetAddresses()
                .filter(Inet4Address.class::isInstance)
                .findFirst()
                .orElseThrow(() -> new IOException(interfaceName + " has no IPv4 address"));
    }

    boolean isRoot() {
        return rank == 0;
    }

    /** On rank 0: lets the others know that it is there, until the process ends. */
    void open() throws IOException {
        ServerSocket door = new ServerSocket();
        door.bind(root);
        Thread.ofPlatform()
                .daemon()
                .name("door")
                .start(() -> {
                    while (true) {
                        try (Socket _ = door.accept()) {
                            // That it could connect is all that a visitor wants to know.
                        } catch (IOException _) {
                            return;
                        }
                    }
                });
    }

    /** On the others: comes back once rank 0 is there. */
    void awaitRoot() throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(root, CONNECT_MS);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadlineNs) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }
}
