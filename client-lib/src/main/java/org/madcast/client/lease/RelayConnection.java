package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A rank, or a stranger, that is connected to a {@link ReportRelay}. It writes frames of {@link
 * FrameConnection}, each with {@code report}, the text that it would have sent to the service, and
 * its {@code mac} ({@link RelaySeal}). The answer has {@code taken}, what the service said, or
 * {@code away}, why it cannot say anything now, and a {@code mac} over the question's and it. A
 * connection that ends without an answer means that the rank has to speak for itself. For the
 * relay's thread.
 */
final class RelayConnection {

    static final int MOST_REPORT_CHARS = 64 << 10;
    static final int MOST_FRAME_BYTES = 2 * MOST_REPORT_CHARS + 1024;

    private static final System.Logger LOG = System.getLogger(RelayConnection.class.getName());

    private final SocketChannel channel;
    private final RelaySeal seal;

    /** What was read before the relay had the connection. */
    private final ByteBuffer first;

    private final ByteBuffer header = ByteBuffer.allocate(FrameConnection.HEADER_BYTES);
    private @Nullable ByteBuffer text;
    private String asked = "";
    private boolean known;

    RelayConnection(SocketChannel channel, ByteBuffer first, Selector selector, RelaySeal seal)
            throws IOException {
        this.channel = channel;
        this.first = first;
        this.seal = seal;
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether it has proved once that it is of the communicator. */
    boolean isKnown() {
        return known;
    }

    /** The report, once it is there as a whole; whatever is wrong ends the connection. */
    @Nullable String read() {
        try {
            ByteBuffer whole = fill();
            if (whole == null) {
                return null;
            }
            String frame = StandardCharsets.UTF_8.decode(whole.flip()).toString();
            text = null;
            header.clear();
            return report(JsonFields.parse(frame));
        } catch (IOException strangerOrGone) {
            LOG.log(Level.DEBUG, "a visitor's connection ended: {0}", strangerOrGone.getMessage());
            close();
            return null;
        }
    }

    private @Nullable ByteBuffer fill() throws IOException {
        if (text == null) {
            fill(header);
            if (header.hasRemaining()) {
                return null;
            }
            text = ByteBuffer.allocate(FrameConnection.textBytes(header.flip(), MOST_FRAME_BYTES));
        }
        fill(text);
        return text.hasRemaining() ? null : text;
    }

    private void fill(ByteBuffer target) throws IOException {
        while (first.hasRemaining() && target.hasRemaining()) {
            target.put(first.get());
        }
        if (!target.hasRemaining()) {
            return;
        }
        if (channel.read(target) < 0) {
            throw new EOFException("the connection was closed");
        }
    }

    private String report(JsonFields question) throws IOException {
        if (!asked.isEmpty()) {
            throw new IOException("a second report before the first was answered");
        }
        String report = question.text("report");
        String mac = question.text("mac");
        seal.check("", report, mac);
        asked = mac;
        known = true;
        return report;
    }

    /** A peer that does not take its answer at once, or is not to get one, is disconnected. */
    void answer(RelayOutcome outcome) {
        switch (outcome) {
            case RelayOutcome.Taken(String advice) -> write("taken", advice);
            case RelayOutcome.Away(String reason) -> write("away", reason);
            case RelayOutcome.Refused() -> close();
        }
        asked = "";
    }

    private void write(String name, String value) {
        JsonObject answer = new JsonObject();
        answer.put(name, value);
        answer.put("mac", seal.mac(asked + name, value));
        ByteBuffer frame = FrameConnection.frame(JsonWriter.string(answer));
        try {
            channel.write(frame);
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a visitor went away: {0}", gone.getMessage());
        }
        if (frame.hasRemaining()) {
            close();
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "closing a visitor's connection", alreadyGone);
        }
    }
}
