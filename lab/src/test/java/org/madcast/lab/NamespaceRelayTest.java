package org.madcast.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hosts reach the machine's loopback through the gateway. */
class NamespaceRelayTest {
    private static Lab lab;

    @BeforeAll
    static void makeLab() {
        LiveLab.assumeAvailable();
        lab = Lab.up(LabSpec.ofHosts(2));
    }

    @AfterAll
    static void takeLabDown() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void hostReachesAnHttpServerOnTheLoopback() throws IOException {
        HttpServer server = HttpServer.create(loopback(0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] answer = "hello from outside".getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
        try (NamespaceRelay relay = lab.relay(0, server.getAddress())) {
            assertThat(relay.listening().getAddress()).isEqualTo(lab.gateway());
            for (LabHost host : lab.hosts()) {
                String answer = exchange(host, relay, "GET / HTTP/1.0\r\n\r\n", false);
                assertThat(answer).startsWith("HTTP/1.").endsWith("hello from outside");
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void halfClosePassesThroughAndTheAnswerStillComes() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                NamespaceRelay relay = lab.relay(0, loopback(server.getLocalPort()))) {
            Thread.ofVirtual().start(() -> answerWithLength(server));
            String answer = exchange(lab.host(1), relay, "x".repeat(1_000_000), true);
            assertThat(answer).isEqualTo("1000000");
        }
    }

    @Test
    void closingEndsListeningAndConnections() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            NamespaceRelay relay = lab.relay(0, loopback(server.getLocalPort()));
            try (SocketChannel client = connect(lab.host(0), relay);
                    Socket accepted = server.accept()) {
                relay.close();
                relay.close();
                assertThat(accepted.getInputStream().read()).isEqualTo(-1);
                assertThat(readsTheEnd(client)).isTrue();
            }
            assertThatThrownBy(() -> connect(lab.host(0), relay).close())
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void targetThatIsNotThereShowsAsClosedConnection() throws IOException {
        int deadPort;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            deadPort = server.getLocalPort();
        }
        try (NamespaceRelay relay = lab.relay(0, loopback(deadPort));
                SocketChannel client = connect(lab.host(0), relay)) {
            assertThat(readsTheEnd(client)).isTrue();
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static SocketChannel connect(LabHost host, NamespaceRelay relay) throws IOException {
        return host.call(() -> SocketChannel.open(relay.listening()));
    }

    /** An end or a reset: either says that the connection is over. */
    private static boolean readsTheEnd(SocketChannel client) {
        try {
            return client.read(ByteBuffer.allocate(1)) == -1;
        } catch (IOException e) {
            return true;
        }
    }

    private static String exchange(
            LabHost host, NamespaceRelay relay, String request, boolean halfClose)
            throws IOException {
        try (SocketChannel client = connect(host, relay)) {
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                client.write(bytes);
            }
            if (halfClose) {
                client.shutdownOutput();
            }
            return new String(Channels.newInputStream(client).readAllBytes(), UTF_8);
        }
    }

    private static void answerWithLength(ServerSocket server) {
        try (Socket socket = server.accept();
                InputStream input = socket.getInputStream()) {
            int length = input.readAllBytes().length;
            socket.getOutputStream().write(Integer.toString(length).getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
