package org.madcast.allocator.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;

/** As little HTTP as costs the generator little: kept connections, one request at a time each. */
final class PlainHttp {

    private final InetSocketAddress address;
    private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();

    PlainHttp(InetSocketAddress address) {
        this.address = address;
    }

    record Answer(int status, String body) {}

    private record Connection(Socket socket, InputStream in) {}

    Answer send(String method, String path, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: load\r\n"
                        + headers
                        + (bytes.length == 0 ? "" : "Content-Type: application/json\r\n")
                        + "Content-Length: "
                        + bytes.length
                        + "\r\n\r\n";
        ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + bytes.length);
        request.write(head.getBytes(StandardCharsets.ISO_8859_1));
        request.write(bytes);
        Connection kept = idle.poll();
        if (kept != null) {
            try {
                return exchange(kept, request);
            } catch (IOException closedMeanwhile) {
                kept.socket().close();
            }
        }
        Socket socket = new Socket();
        socket.connect(address, 30_000);
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        return exchange(new Connection(socket, new Unlocked(socket.getInputStream())), request);
    }

    private Answer exchange(Connection on, ByteArrayOutputStream request) throws IOException {
        request.writeTo(on.socket().getOutputStream());
        String status = line(on.in());
        int length = 0;
        boolean chunked = false;
        boolean close = false;
        for (String header = line(on.in()); !header.isEmpty(); header = line(on.in())) {
            String lower = header.toLowerCase(java.util.Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(15).strip());
            }
            chunked |= lower.startsWith("transfer-encoding: chunked");
            close |= lower.equals("connection: close");
        }
        String body = chunked ? chunks(on.in()) : text(on.in(), length);
        if (close) {
            on.socket().close();
        } else {
            idle.add(on);
        }
        return new Answer(Integer.parseInt(status.substring(9, 12)), body);
    }

    private static String chunks(InputStream in) throws IOException {
        StringBuilder body = new StringBuilder();
        for (int size = size(in); size > 0; size = size(in)) {
            body.append(text(in, size));
            line(in);
        }
        line(in);
        return body.toString();
    }

    private static int size(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String text(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("connection closed");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** A buffer without a lock, which would be taken for each byte of a header. */
    private static final class Unlocked extends InputStream {

        private final InputStream from;
        private final byte[] buffer = new byte[2048];
        private int next;
        private int end;

        Unlocked(InputStream from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            if (next == end) {
                next = 0;
                end = Math.max(0, from.read(buffer));
            }
            return next == end ? -1 : buffer[next++] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (next == end) {
                return from.read(target, offset, length);
            }
            int many = Math.min(length, end - next);
            System.arraycopy(buffer, next, target, offset, many);
            next += many;
            return many;
        }
    }
}
