package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Brings reports to the rank that passes them on. One thread visits; any may give up. */
final class RelayVisit {

    private static final System.Logger LOG = System.getLogger(RelayVisit.class.getName());
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);

    /** What the relay takes to gather and the service to answer, and a second. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(4);

    private final InetSocketAddress relay;
    private final RelaySeal seal;
    private @Nullable Socket current;
    private boolean givenUp;

    RelayVisit(InetSocketAddress relay, RelaySeal seal) {
        this.relay = relay;
        this.seal = seal;
    }

    /**
     * Brings one report.
     *
     * @throws IOException when nobody there passes it on, so that this rank has to speak for itself
     */
    RelayOutcome bring(String report) throws IOException {
        if (report.length() > ReportRelay.MOST_REPORT_CHARS) {
            return new RelayOutcome.Alone();
        }
        try (Socket socket = opened();
                FrameConnection connection = connected(socket)) {
            JsonObject question = new JsonObject();
            String mac = seal.mac("", report);
            question.put("report", report);
            question.put("mac", mac);
            connection.write(question);
            return read(connection.read(ReportRelay.MOST_FRAME_BYTES, ANSWER_TIMEOUT), mac);
        }
    }

    private FrameConnection connected(Socket socket) throws IOException {
        socket.connect(relay, (int) CONNECT_TIMEOUT.toMillis());
        return new FrameConnection(socket);
    }

    private RelayOutcome read(JsonFields answer, String asked) throws IOException {
        String name = answer.has("taken") ? "taken" : "away";
        String text = answer.text(name);
        seal.check(asked + name, text, answer.text("mac"));
        return name.equals("taken")
                ? new RelayOutcome.Taken(text)
                : new RelayOutcome.Away("the rank that passes reports on says: " + text);
    }

    private synchronized Socket opened() throws IOException {
        if (givenUp) {
            throw new IOException("no more reports are brought here");
        }
        Socket socket = new Socket();
        current = socket;
        return socket;
    }

    /** Ends the visit that is under way, and all later ones before they begin. */
    synchronized void giveUp() {
        givenUp = true;
        try {
            if (current != null) {
                current.close();
            }
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "giving up a visit", alreadyGone);
        }
    }
}
