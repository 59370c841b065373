package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Passes on the reports of neighbouring ranks, so that the service has one request where it would
 * have many, and one connection. Listens for TCP at the address and port where the rank has its
 * unicast datagrams. Who cannot prove that he is of the communicator is not answered; strangers
 * cost at most a connection out of a bounded number for at most a second.
 *
 * <p>A neighbour writes a frame of {@link FrameConnection} with {@code report}, the text that it
 * would have sent to the service, and its {@code mac} ({@link RelaySeal}). The answer has {@code
 * taken}, what the service said, or {@code away}, why it cannot say anything now, and a {@code mac}
 * over the question's and it. A connection that ends without an answer means that the neighbour has
 * to speak for itself.
 */
final class ReportRelay implements AutoCloseable {

    static final int MOST_REPORT_CHARS = 64 << 10;
    static final int MOST_FRAME_BYTES = 2 * MOST_REPORT_CHARS + 1024;

    private static final System.Logger LOG = System.getLogger(ReportRelay.class.getName());
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);
    private static final int CONNECTIONS_TO_SPARE = 16;

    private final RelaySeal seal;
    private final ReportGathering gathering;
    private final ServerSocket server;
    private final Semaphore slots;
    private final Set<FrameConnection> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Starts to listen.
     *
     * @param neighbours how many ranks may come, without this one
     * @throws IOException when the port is taken
     */
    ReportRelay(
            InetSocketAddress address, int neighbours, RelaySeal seal, ReportGathering gathering)
            throws IOException {
        this.seal = seal;
        this.gathering = gathering;
        this.slots = new Semaphore(neighbours + CONNECTIONS_TO_SPARE);
        this.server =
                new ServerSocket(
                        address.getPort(), neighbours + CONNECTIONS_TO_SPARE, address.getAddress());
        threads.execute(this::accept);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                if (slots.tryAcquire()) {
                    threads.execute(() -> serve(socket));
                } else {
                    socket.close();
                }
            } catch (IOException closedOrBroken) {
                LOG.log(Level.TRACE, "accepting", closedOrBroken);
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (FrameConnection connection = new FrameConnection(socket)) {
            connections.add(connection);
            try {
                passOn(connection);
            } finally {
                connections.remove(connection);
            }
        } catch (IOException strangerOrGone) {
            LOG.log(
                    Level.DEBUG,
                    "a report from {0} was not passed on: {1}",
                    socket.getRemoteSocketAddress(),
                    strangerOrGone.getMessage());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            slots.release();
        }
    }

    private void passOn(FrameConnection connection) throws IOException, InterruptedException {
        JsonFields asked = connection.read(MOST_FRAME_BYTES, READ_TIMEOUT);
        String report = asked.text("report");
        String mac = asked.text("mac");
        seal.check("", report, mac);
        switch (gathering.add(report)) {
            case RelayOutcome.Taken(String advice) ->
                    connection.write(answer("taken", advice, mac));
            case RelayOutcome.Away(String reason) -> connection.write(answer("away", reason, mac));
            case RelayOutcome.Alone() -> {}
        }
    }

    private JsonObject answer(String name, String text, String asked) {
        JsonObject answer = new JsonObject();
        answer.put(name, text);
        answer.put("mac", seal.mac(asked + name, text));
        return answer;
    }

    /** Ends all connections at once: neighbours that still wait speak for themselves. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "closing the relay", alreadyGone);
        }
        connections.forEach(FrameConnection::close);
        threads.shutdownNow();
    }
}
