package org.madcast.madcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Wireshark's own program reads with our dissector is what was sent. */
class DissectorTest {

    private static final Path SCRIPT = Path.of("src", "main", "wireshark", "madcap.lua");
    private static final Path CAPTURE =
            Path.of("src", "test", "resources", "golden", "madcap.pcap");
    private static final int GARBLED = 2000;

    @BeforeAll
    static void tsharkIsThere() {
        boolean there =
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(it -> Files.isExecutable(Path.of(it, "tshark")));
        assumeTrue(there, "no tshark");
    }

    @Test
    void decodesTheCapture() throws Exception {
        List<String> lines =
                read(
                        CAPTURE,
                        "madcap.type",
                        "madcap.family",
                        "madcap.xid",
                        "madcap.lease_id",
                        "madcap.option",
                        "_ws.expert.message");
        assertThat(lines).hasSameSizeAs(GoldenFiles.NAMES);
        for (int i = 0; i < lines.size(); i++) {
            String name = GoldenFiles.NAMES.get(i);
            Message message = Objects.requireNonNull(GoldenMessages.all().get(name));
            String[] fields = lines.get(i).split("\t", -1);
            LeaseId leaseId = Objects.requireNonNull(message.leaseId());
            assertThat(fields[0]).as(name).isEqualTo(String.valueOf(message.type().code()));
            // A server identifier has a family of its own behind the message's.
            assertThat(fields[1].split(",", -1)[0])
                    .as(name)
                    .isEqualTo(String.valueOf(message.family().code()));
            assertThat(fields[2]).as(name).isEqualTo("0x%08x".formatted(message.xid()));
            assertThat(fields[3]).as(name).isEqualTo(leaseId.octets().toString());
            List<String> codes =
                    message.options().stream().map(it -> String.valueOf(it.code())).toList();
            assertThat(fields[4].split(",", -1)).as(name).containsAll(codes).endsWith("0");
            assertThat(fields[5]).as(name).isEmpty();
        }
    }

    @Test
    void showsTimesAddressesAndErrors() throws Exception {
        String text = run("-r", CAPTURE.toString(), "-V");
        assertThat(text)
                .contains("Message Type: DISCOVER (1)")
                .contains("Seconds: 7200")
                .contains("Scope Address: 239.255.0.0")
                .contains("First Address: 239.255.0.16")
                .contains("Excessive Clock Skew")
                .contains("Jan  1, 2024 00:00:00");
    }

    @Test
    void garbledMessagesAreCalledSoAndBreakNothing() throws Exception {
        CaptureFile capture = new CaptureFile();
        SplittableRandom random = new SplittableRandom(2730);
        for (int i = 0; i < GARBLED; i++) {
            String name = GoldenFiles.NAMES.get(i % GoldenFiles.NAMES.size());
            byte[] bytes = GoldenFiles.read(name);
            byte[] cut = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
            if (random.nextBoolean()) {
                cut[random.nextInt(cut.length)] = (byte) random.nextInt(256);
            }
            capture.add(
                    GoldenMessages.SERVER,
                    Message.SERVER_PORT,
                    NetAddress.parse("192.0.2.100"),
                    40000,
                    cut);
        }
        Path file = Path.of("target", "garbled.pcap");
        Files.write(file, capture.toByteArray());
        String text = run("-r", file.toString(), "-V");
        assertThat(text.toLowerCase(Locale.ROOT)).doesNotContain("lua error");
        assertThat(read(file, "_ws.expert.message"))
                .hasSize(GARBLED)
                .anyMatch(it -> it.contains("RFC 2730"));
    }

    private static List<String> read(Path capture, String... fields) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-r", capture.toString(), "-T", "fields"));
        for (String field : fields) {
            arguments.addAll(List.of("-e", field));
        }
        return run(arguments.toArray(String[]::new)).lines().toList();
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-X", "lua_script:" + SCRIPT));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return text;
    }
}
