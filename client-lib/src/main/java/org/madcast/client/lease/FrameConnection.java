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

    FrameConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
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
        socket.getOutputStream().write(frame(message).array());
    }

    /** A message as it is sent. */
    static ByteBuffer frame(String message) {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + text.length);
        return frame.putInt(MAGIC).putInt(text.length).put(text).flip();
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
        int lengthBytes = textBytes(header, maxBytes);
        return JsonFields.parse(
                new String(readFully(lengthBytes, deadlineNs), StandardCharsets.UTF_8));
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
