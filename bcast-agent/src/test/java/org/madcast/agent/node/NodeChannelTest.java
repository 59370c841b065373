package org.madcast.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.CommandFailure;

/** Who is let in, and what is said then. */
@Timeout(120)
class NodeChannelTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @TempDir private Path directory = Path.of("");
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private ServerSocket listening = socket();

    private static ServerSocket socket() {
        try {
            return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void makeTokens() {
        NodeToken.make(directory.resolve("right"));
        NodeToken.make(directory.resolve("wrong"));
    }

    @AfterEach
    void end() throws IOException {
        listening.close();
        pool.shutdownNow();
    }

    private NodeToken token(String name) {
        return NodeToken.read(directory.resolve(name));
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    private Future<NodeChannel> agent() {
        return pool.submit(() -> NodeChannel.accept(listening.accept(), "h3", token("right")));
    }

    @Test
    void withTheSameTokenBothSidesSpeak() throws Exception {
        Future<NodeChannel> accepted = agent();
        NodeChannel sender = NodeChannel.connect(address(), token("right"), PATIENCE);
        try (NodeChannel agent = accepted.get()) {
            assertThat(sender.node()).isEqualTo("h3");
            JsonObject message = NodeChannel.message("offer");
            message.put("destination", "/ä/\n\"x");
            sender.say(message);
            assertThat(agent.hear()).isEqualTo(message);
            sender.close();
            assertThatThrownBy(agent::hear).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void withAnotherTokenNobodyIsLetIn() {
        Future<NodeChannel> accepted = agent();
        assertThatThrownBy(() -> NodeChannel.connect(address(), token("wrong"), PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not the agent's token");
        assertThatThrownBy(accepted::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("wrong token");
    }

    @Test
    void anAgentWithoutTheTokenIsNotBelieved() {
        Future<?> impostor =
                pool.submit(() -> {
                    try (Socket socket = listening.accept();
                            OutputStream out = socket.getOutputStream()) {
                        String lines =
                                """
                                {"type":"agent","version":2,"nonce":"00"}
                                {"type":"welcome","proof":"00"}
                                """;
                        out.write(lines.getBytes(StandardCharsets.UTF_8));
                        out.flush();
                        return socket.getInputStream().readAllBytes();
                    }
                });
        assertThatThrownBy(() -> NodeChannel.connect(address(), token("right"), PATIENCE))
                .hasMessageContaining("does not have the token");
        assertThat(impostor).succeedsWithin(PATIENCE);
    }

    @Test
    void whatSpeaksAnotherLanguageIsRefused() {
        Future<?> other =
                pool.submit(() -> {
                    try (Socket socket = listening.accept()) {
                        byte[] line = "220 mail.example\n".getBytes(StandardCharsets.UTF_8);
                        socket.getOutputStream().write(line);
                        return socket.getInputStream().readAllBytes();
                    }
                });
        assertThatThrownBy(() -> NodeChannel.connect(address(), token("right"), PATIENCE))
                .hasMessageContaining("does not speak the agents' protocol");
        assertThat(other).succeedsWithin(PATIENCE);
    }

    @Test
    void endlessLinesAreRefused() throws Exception {
        Future<NodeChannel> accepted = agent();
        try (Socket socket = new Socket(address().getAddress(), address().getPort())) {
            OutputStream out = socket.getOutputStream();
            byte[] block = "x".repeat(100_000).getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(
                            () -> {
                                out.write(block);
                                accepted.get();
                            })
                    .hasMessageContaining("longer than");
        }
    }

    @Test
    void aTokenIsMadeOnceAndIsItsOwnersSecret() throws Exception {
        Path file = directory.resolve("right");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> NodeToken.make(file))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("already");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> NodeToken.read(file)).hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> NodeToken.read(directory.resolve("none")))
                .hasMessageContaining("--make-token");
        Files.writeString(directory.resolve("short"), "abc");
        assertThatThrownBy(() -> NodeToken.read(directory.resolve("short")))
                .hasMessageContaining("16");
    }
}
