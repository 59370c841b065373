package org.madcast.agent.leasebench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept-open HTTP/1.1 connection that does nothing but one request after the other: a load
 * generator on the service's own machine must cost less than what it measures. For one thread.
 */
final class LeanHttp implements AutoCloseable {

    private static final int TIMEOUT_MS = 30_000;

    private final InetSocketAddress server;
    private final String host;
    private Socket socket;
    private OutputStream out;
    private InputStream in;

    LeanHttp(URI service) throws IOException {
        int port = service.getPort() < 0 ? 80 : service.getPort();
        server = new InetSocketAddress(service.getHost(), port);
        host = service.getHost() + ":" + port;
        socket = connected();
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream(), 4096);
    }

    private Socket connected() throws IOException {
        Socket fresh = new Socket();
        fresh.setTcpNoDelay(true);
        fresh.setSoTimeout(TIMEOUT_MS);
        fresh.connect(server, TIMEOUT_MS);
        return fresh;
    }

    private void reconnect() throws IOException {
        socket.close();
        socket = connected();
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream(), 4096);
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

    /** Sends a request; headers end in a line break each, or are empty. */
    Answer send(String method, String path, String headers, String body) throws IOException {
        String head =
                method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: "
                        + host
                        + "\r\n"
                        + headers
                        + (body.isEmpty()
                                ? ""
                                : "Content-Type: application/json\r\nContent-Length: "
                                        + body.length()
                                        + "\r\n")
                        + "\r\n"
                        + body;
        out.write(head.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        String status = line();
        int length = 0;
        boolean chunked = false;
        boolean last = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.contains("chunked");
            } else if (lower.startsWith("connection:")) {
                last = lower.contains("close");
            }
        }
        String text = chunked ? chunks() : text(length);
        if (last) {
            reconnect();
        }
        return new Answer(Integer.parseInt(status.substring(9, 12)), text);
    }

    private String chunks() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int length = chunkLength(); length > 0; length = chunkLength()) {
            text.append(text(length));
            line();
        }
        line();
        return text.toString();
    }

    private int chunkLength() throws IOException {
        return Integer.parseInt(line().strip(), 16);
    }

    private String text(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the service closed the connection");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the service closed the connection");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
