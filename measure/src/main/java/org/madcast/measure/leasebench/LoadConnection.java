package org.madcast.measure.leasebench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One kept-open HTTP/1.1 connection that does nothing but one request after the other: a load
 * generator on the service's own machine must cost less than what it measures. It never blocks; one
 * thread looks after many by a selector, whose keys carry what the caller attached.
 */
final class LoadConnection implements AutoCloseable {

    private static final int MOST_BYTES = 64 * 1024;

    private final InetSocketAddress server;
    private final String host;
    private final Selector selector;
    private final Object attachment;
    private final ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    private SocketChannel channel;

    /** Connects; keys of the selector carry the attachment when an answer may have come. */
    LoadConnection(URI service, Selector selector, Object attachment) throws IOException {
        int port = service.getPort() < 0 ? 80 : service.getPort();
        this.server = new InetSocketAddress(service.getHost(), port);
        this.host = service.getHost() + ":" + port;
        this.selector = selector;
        this.attachment = attachment;
        this.channel = connected();
    }

    private SocketChannel connected() throws IOException {
        SocketChannel fresh = SocketChannel.open(server);
        fresh.setOption(StandardSocketOptions.TCP_NODELAY, true);
        fresh.configureBlocking(false);
        fresh.register(selector, SelectionKey.OP_READ, attachment);
        return fresh;
    }

    /**
     * What came back.
     *
     * @param status the status code
     * @param body the body as text
     */
    record Answer(int status, String body) {

        /** The value of a field of text, wherever it is. */
        String text(String field) {
            String key = "\"" + field + "\":\"";
            int at = body.indexOf(key);
            if (at < 0) {
                throw new IllegalStateException("no " + field + " in " + body);
            }
            int from = at + key.length();
            return body.substring(from, body.indexOf('"', from));
        }
    }

    /** A request's bytes; headers end in a line break each, or are empty. */
    byte[] request(String method, String path, String headers, String body) {
        String length =
                body.isEmpty()
                        ? ""
                        : "Content-Type: application/json\r\nContent-Length: "
                                + body.length()
                                + "\r\n";
        String text =
                method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: "
                        + host
                        + "\r\n"
                        + headers
                        + length
                        + "\r\n"
                        + body;
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Sends a request. The answer to the one before must have come. */
    void send(byte[] request) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(request);
        while (out.hasRemaining()) {
            channel.write(out); // far smaller than what the socket takes at once
        }
    }

    /** The answer, or nothing as long as it has not come as a whole. */
    @Nullable Answer receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the service closed the connection");
        }
        if (!in.hasRemaining()) {
            throw new IOException("an answer of more than " + MOST_BYTES + " bytes");
        }
        Arrived arrived = new Arrived(in.array(), in.position());
        Answer answer = arrived.answer();
        if (answer != null) {
            in.clear();
            if (arrived.isLast()) {
                channel.close();
                channel = connected();
            }
        }
        return answer;
    }

    /** What has come so far. */
    private static final class Arrived {

        private final byte[] bytes;
        private final int end;
        private String head = "";
        private int at;

        Arrived(byte[] bytes, int end) {
            this.bytes = bytes;
            this.end = end;
        }

        @Nullable Answer answer() {
            int body = after("\r\n\r\n", 0);
            if (body < 0) {
                return null;
            }
            head = text(0, body).toLowerCase(Locale.ROOT);
            at = body;
            String text = head.contains("\r\ntransfer-encoding: chunked") ? chunks() : rest();
            return text == null ? null : new Answer(Integer.parseInt(head.substring(9, 12)), text);
        }

        /** Whether the server closes the connection behind it. */
        boolean isLast() {
            return head.contains("\r\nconnection: close");
        }

        private @Nullable String rest() {
            String key = "\r\ncontent-length:";
            int from = head.indexOf(key);
            int length = 0;
            if (from >= 0) {
                from += key.length();
                length = Integer.parseInt(head.substring(from, head.indexOf('\r', from)).strip());
            }
            return at + length <= end ? text(at, at + length) : null;
        }

        private @Nullable String chunks() {
            StringBuilder all = new StringBuilder();
            while (true) {
                int data = after("\r\n", at);
                if (data < 0) {
                    return null;
                }
                int length = Integer.parseInt(text(at, data - 2).strip(), 16);
                if (data + length + 2 > end) {
                    return null;
                }
                all.append(text(data, data + length));
                at = data + length + 2;
                if (length == 0) {
                    return all.toString();
                }
            }
        }

        /** Where it goes on behind the next place of a mark, -1 when there is none. */
        private int after(String mark, int from) {
            for (int i = from; i + mark.length() <= end; i++) {
                int same = 0;
                while (same < mark.length() && bytes[i + same] == mark.charAt(same)) {
                    same++;
                }
                if (same == mark.length()) {
                    return i + same;
                }
            }
            return -1;
        }

        private String text(int from, int to) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
