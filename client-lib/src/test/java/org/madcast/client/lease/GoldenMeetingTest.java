package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;
import org.madcast.client.GroupSource;
import org.madcast.client.JobKey;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

/**
 * What ranks say when they meet at rank 0, as the files {@code golden/meeting*.txt} hold it. This
 * test plays one of the two sides from a file, with frames and codes that it makes by itself, as
 * docs/PROTOCOL.md describes them; the other side is the library's. In a file a word in capitals
 * stands for what is drawn.
 */
@Timeout(120)
final class GoldenMeetingTest {

    private static final String HEX_KEY = "ab".repeat(32);
    private static final String WITH_KEY = "meeting-with-key";
    private static final String REFUSED = "meeting-refused";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final MulticastGroup GROUP =
            new MulticastGroup(InetAddress.ofLiteral("239.255.9.9"), 6000);

    /** What may stand for each word. */
    private static final Map<String, Pattern> DRAWN =
            Map.of(
                    "TOKEN", Pattern.compile("[0-9a-f]{1,16}"),
                    "INSTANCE", Pattern.compile("[0-9a-f-]{36}"),
                    "DRAWN-BY-RANK", Pattern.compile("[0-9a-f]{32}"),
                    "DRAWN-BY-ROOT", Pattern.compile("[0-9a-f]{32}"),
                    "PROOF", Pattern.compile("[0-9a-f]{64}"),
                    "REASON", Pattern.compile(".*size 2, but rank 1 with size 3.*"));

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** A frame: which side sends it, and its text. */
    private record Line(boolean byRoot, JsonObject text) {}

    private static List<Line> golden(String file) throws IOException {
        try (InputStream in =
                GoldenMeetingTest.class.getResourceAsStream("/golden/" + file + ".txt")) {
            assertThat(in).as(file).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(it -> !it.startsWith("#") && !it.isBlank())
                    .map(it -> new Line(it.startsWith("root:"), json(it.split(": ", 2)[1])))
                    .toList();
        }
    }

    private static JsonObject json(String text) {
        try {
            return JsonParser.object().from(text);
        } catch (JsonParserException broken) {
            throw new AssertionError(text, broken);
        }
    }

    private static CommunicatorConfig config(String file, int rank, int port) {
        CommunicatorConfig.Builder config =
                CommunicatorConfig.builder(
                                "golden", rank, rank == 1 && file.equals(REFUSED) ? 3 : 2)
                        .rootAddress(InetSocketAddress.createUnresolved("127.0.0.1", port))
                        .madcap(CommunicatorConfig.MADCAP_OFF)
                        .key(file.equals(WITH_KEY) ? JobKey.ofHex(HEX_KEY) : null)
                        .joinTimeout(LONG);
        return (rank == 0 ? config.group(GROUP) : config).build();
    }

    private static Member self(int rank) {
        return new Member(
                rank,
                new InetSocketAddress(
                        InetAddress.ofLiteral("10.77.0." + (1 + rank)), 40_000 + rank),
                4_194_304,
                1472);
    }

    @ParameterizedTest
    @ValueSource(strings = {"meeting", WITH_KEY, REFUSED})
    void rankZeroSpeaksAsTheFileSays(String file) throws Exception {
        int port = FreePort.tcp();
        Callable<List<Member>> zero =
                () -> {
                    try (Rendezvous met =
                            RootRendezvous.find(config(file, 0, port), Duration.ZERO, LONG)) {
                        return met.meet(self(0), LONG);
                    }
                };
        Future<List<Member>> root = threads.submit(zero);
        try (Socket socket = connect(port)) {
            new Player(socket, file, false).play();
        }
        if (!file.equals(REFUSED)) {
            assertThat(root.get()).containsExactly(self(0), self(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"meeting", WITH_KEY})
    void anotherRankSpeaksAsTheFileSays(String file) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Player> root = playRoot(server, file);
            try (Rendezvous met =
                    RootRendezvous.find(
                            config(file, 1, server.getLocalPort()), Duration.ZERO, LONG)) {
                assertThat(met.group()).isEqualTo(GROUP);
                assertThat(met.groupSource()).isEqualTo(GroupSource.CONFIGURED);
                assertThat(met.token()).isEqualTo(0x123456789abcdefL);
                assertThat(met.meet(self(1), LONG)).containsExactly(self(0), self(1));
            }
            assertThat(root.get()).isNotNull();
        }
    }

    @Test
    void aRefusedRankSaysWhy() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Player> root = playRoot(server, REFUSED);
            CommunicatorConfig one = config(REFUSED, 1, server.getLocalPort());
            assertThatThrownBy(() -> RootRendezvous.find(one, Duration.ZERO, LONG))
                    .isInstanceOf(JoinFailedException.class)
                    .hasMessage("rank 0 is there with size 2, but rank 1 with size 3");
            assertThat(root.get()).isNotNull();
        }
    }

    private Future<Player> playRoot(ServerSocket server, String file) {
        return threads.submit(() -> {
            try (Socket socket = server.accept()) {
                Player player = new Player(socket, file, true);
                player.play();
                return player;
            }
        });
    }

    private static Socket connect(int port) throws InterruptedException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException notYet) {
                Thread.sleep(Duration.ofMillis(10));
            }
        }
    }

    /** Plays one side of a conversation and compares what the other one says. */
    private static final class Player {

        private final Socket socket;
        private final List<Line> lines;
        private final boolean asRoot;
        private final Map<String, String> drawn =
                new HashMap<>(
                        Map.of(
                                "TOKEN", "123456789abcdef",
                                "INSTANCE", "01234567-89ab-cdef-0123-456789abcdef",
                                "REASON", "rank 0 is there with size 2, but rank 1 with size 3"));
        private byte @Nullable [] sealedBy;
        private long read;
        private long written;

        Player(Socket socket, String file, boolean asRoot) throws IOException {
            this.socket = socket;
            this.lines = golden(file);
            this.asRoot = asRoot;
            drawn.put(asRoot ? "DRAWN-BY-ROOT" : "DRAWN-BY-RANK", "5a".repeat(16));
        }

        void play() throws IOException {
            for (Line line : lines) {
                if (line.text().containsValue("PROOF")) {
                    drawn.put("PROOF", HexFormat.of().formatHex(proof()));
                }
                if (line.byRoot() == asRoot) {
                    write(JsonWriter.string(filled(line.text())));
                } else {
                    JsonObject said = json(read());
                    assertThat(said).isEqualTo(matched(line.text(), said));
                }
                if ("proven".equals(line.text().getString("type"))) {
                    sealedBy = connectionKey();
                }
            }
        }

        private String word(String name) {
            return Objects.requireNonNull(drawn.get(name), name);
        }

        private JsonObject filled(JsonObject golden) {
            JsonObject filled = new JsonObject();
            golden.forEach((name, value) -> filled.put(name, drawn.getOrDefault(value, "")));
            golden.forEach((name, value) -> {
                if (!DRAWN.containsKey(value)) {
                    filled.put(name, value);
                }
            });
            return filled;
        }

        /** The golden text with what the other side has drawn, if that could be. */
        private JsonObject matched(JsonObject golden, JsonObject said) {
            JsonObject expected = new JsonObject();
            golden.forEach((name, value) -> {
                Pattern allowed = DRAWN.get(value);
                if (allowed == null) {
                    expected.put(name, value);
                    return;
                }
                assertThat(said.getString(name)).as(name).matches(allowed);
                if (value.equals("PROOF")) {
                    expected.put(name, word("PROOF"));
                } else {
                    drawn.put((String) value, said.getString(name));
                    expected.put(name, said.getString(name));
                }
            });
            return expected;
        }

        private void write(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            byte[] code = code(asRoot, written, bytes);
            written += code.length == 0 ? 0 : 1;
            ByteBuffer frame = ByteBuffer.allocate(8 + bytes.length + code.length);
            frame.put("MCR1".getBytes(StandardCharsets.US_ASCII));
            frame.putInt(bytes.length + code.length).put(bytes).put(code);
            socket.getOutputStream().write(frame.array());
        }

        private String read() throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(new String(in.readNBytes(4), StandardCharsets.US_ASCII)).isEqualTo("MCR1");
            int length = in.readInt();
            byte[] text = in.readNBytes(sealedBy == null ? length : length - 32);
            byte[] code = code(!asRoot, read, text);
            read += code.length == 0 ? 0 : 1;
            assertThat(in.readNBytes(code.length)).isEqualTo(code);
            return new String(text, StandardCharsets.UTF_8);
        }

        private byte[] code(boolean byRoot, long number, byte[] text) {
            byte[] by = sealedBy;
            return by == null
                    ? new byte[0]
                    : hmac(
                            by,
                            ByteBuffer.allocate(9 + text.length)
                                    .put((byte) (byRoot ? 1 : 2))
                                    .putLong(number)
                                    .put(text)
                                    .array());
        }

        private byte[] connectionKey() {
            byte[] purpose = new byte["madcast meeting 1".length() + 8];
            byte[] words = "madcast meeting 1".getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(words, 0, purpose, 0, words.length);
            String both =
                    "[\"connection\",\"%s\",\"%s\"]"
                            .formatted(word("DRAWN-BY-RANK"), word("DRAWN-BY-ROOT"));
            return hmac(
                    hmac(HexFormat.of().parseHex(HEX_KEY), purpose),
                    both.getBytes(StandardCharsets.UTF_8));
        }

        private byte[] proof() {
            String hello =
                    "[\"hello\",\"golden\",\"world\",1,2,\"%s\"]".formatted(word("INSTANCE"));
            return hmac(connectionKey(), hello.getBytes(StandardCharsets.UTF_8));
        }

        private static byte[] hmac(byte[] key, byte[] said) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                return mac.doFinal(said);
            } catch (GeneralSecurityException missing) {
                throw new AssertionError(missing);
            }
        }
    }
}
