package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Brings reports to the rank that passes them on ({@link RelayConnection} has what is said), over
 * one connection. One thread sends; any may cancel.
 */
final class RelayClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);

    /** What the relay takes to gather and the service to answer, and a second. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(4);

    private final InetSocketAddress relay;
    private final RelaySeal seal;
    private @Nullable FrameConnection current;
    private boolean givenUp;

    RelayClient(InetSocketAddress relay, RelaySeal seal) {
        this.relay = relay;
        this.seal = seal;
    }

    /**
     * Brings one report.
     *
     * @throws IOException when no relay accepts it, so that this rank has to send it itself
     */
    RelayOutcome bring(String report) throws IOException {
        if (report.length() > RelayConnection.MOST_REPORT_CHARS) {
            return new RelayOutcome.Refused();
        }
        boolean answered = false;
        try {
            FrameConnection connection = connection();
            JsonObject question = new JsonObject();
            String mac = seal.mac("", report);
            question.put("report", report);
            question.put("mac", mac);
            connection.write(question);
            RelayOutcome outcome =
                    read(connection.read(RelayConnection.MOST_FRAME_BYTES, ANSWER_TIMEOUT), mac);
            answered = true;
            return outcome;
        } finally {
            if (!answered) {
                disconnect();
            }
        }
    }

    private FrameConnection connection() throws IOException {
        FrameConnection kept = kept();
        if (kept != null) {
            return kept;
        }
        Socket socket = new Socket();
        boolean connected = false;
        try {
            socket.connect(relay, (int) CONNECT_TIMEOUT.toMillis());
            FrameConnection fresh = new FrameConnection(socket);
            connected = keep(fresh);
            return fresh;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    private synchronized @Nullable FrameConnection kept() {
        return current;
    }

    private synchronized boolean keep(FrameConnection connection) {
        current = connection;
        return !givenUp;
    }

    private RelayOutcome read(JsonFields answer, String asked) throws IOException {
        String name = answer.has("taken") ? "taken" : "away";
        String text = answer.text(name);
        seal.check(asked + name, text, answer.text("mac"));
        return name.equals("taken")
                ? new RelayOutcome.Taken(text)
                : new RelayOutcome.Away("the rank that passes reports on says: " + text);
    }

    private synchronized void disconnect() {
        if (current != null) {
            current.close();
            current = null;
        }
    }

    /** Ends the visit that is under way, and all later ones. */
    synchronized void markFailed() {
        givenUp = true;
        disconnect();
    }
}
