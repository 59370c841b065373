package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;

/**
 * Small JSON messages over TCP between rank 0 and the others. A frame is the four bytes {@code
 * MCR1}, the length of the text in bytes (32 bits, big-endian), and the text in UTF-8. Whoever
 * sends something else, sends more than was allowed or takes longer than was allowed gets an {@link
 * IOException} on this side. One thread reads and writes; any may close.
 */
final class FrameConnection implements AutoCloseable {

    /** Enough for everything but the table of members. */
    static final int SMALL_BYTES = 8 << 10;

    /** Enough for the table of members of the largest communicator. */
    static final int TABLE_BYTES = 16 << 20;

    private static final int MAGIC = 0x4d435231;

    /** The four bytes and the length. */
    static final int HEADER_BYTES = 8;

    private final Socket socket;
    private @Nullable MeetingSeal seal;

    FrameConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
    }

    /** From now on each text, both ways, is followed by the code that proves who wrote it. */
    void sealWith(MeetingSeal seal) {
        this.seal = seal;
    }

    /** The other side's address and port, for messages. */
    String peer() {
        return CommunicatorConfig.hostAndPort(
                new InetSocketAddress(socket.getInetAddress(), socket.getPort()));
    }

    /** The other side's address. */
    InetAddress source() {
        return socket.getInetAddress();
    }

    void write(JsonObject message) throws IOException {
        write(JsonWriter.string(message));
    }

    void write(String message) throws IOException {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        byte[] code = seal == null ? new byte[0] : seal.seal(text);
        socket.getOutputStream().write(frame(text, code).array());
    }

    /** A message as it is sent, without a seal. */
    static ByteBuffer frame(String message) {
        return frame(message.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }

    private static ByteBuffer frame(byte[] text, byte[] code) {
        int lengthBytes = text.length + code.length;
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + lengthBytes);
        return frame.putInt(MAGIC).putInt(lengthBytes).put(text).put(code).flip();
    }

    /** How long the text behind this header is. */
    static int textBytes(ByteBuffer header, int maxBytes) throws IOException {
        int magic = header.getInt();
        int lengthBytes = header.getInt();
        if (magic != MAGIC) {
            throw new IOException("not Madcast's protocol");
        }
        if (lengthBytes < 0 || lengthBytes > maxBytes) {
            throw new IOException("a message of " + lengthBytes + " bytes is too long");
        }
        return lengthBytes;
    }

    /** The next message, of at most this size and complete before this much time has passed. */
    JsonFields read(int maxBytes, Duration timeout) throws IOException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        ByteBuffer header = ByteBuffer.wrap(readFully(HEADER_BYTES, deadlineNs));
        int codeBytes = seal == null ? 0 : MeetingSeal.MAC_BYTES;
        int lengthBytes = textBytes(header, maxBytes + codeBytes);
        byte[] body = readFully(lengthBytes, deadlineNs);
        byte[] text = Arrays.copyOf(body, Math.max(0, lengthBytes - codeBytes));
        if (seal != null) {
            seal.check(text, Arrays.copyOfRange(body, text.length, lengthBytes));
        }
        return JsonFields.parse(new String(text, StandardCharsets.UTF_8));
    }

    /** The limit is on the whole, so that a byte now and then does not hold the connection open. */
    private byte[] readFully(int count, long deadlineNs) throws IOException {
        byte[] bytes = new byte[count];
        InputStream in = socket.getInputStream();
        int filled = 0;
        while (filled < count) {
            long remainingMs = Duration.ofNanos(deadlineNs - System.nanoTime()).toMillis();
            if (remainingMs <= 0) {
                throw new SocketTimeoutException("no complete message in time");
            }
            socket.setSoTimeout((int) Math.min(remainingMs, Integer.MAX_VALUE));
            int read = in.read(bytes, filled, count - filled);
            if (read < 0) {
                throw new EOFException("the connection was closed");
            }
            filled += read;
        }
        return bytes;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            System.getLogger(FrameConnection.class.getName())
                    .log(System.Logger.Level.TRACE, "closing a connection", alreadyGone);
        }
    }
}
