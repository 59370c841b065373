package org.madcast.madcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code madcap.pcap}, to be looked at with {@code tshark -X lua_script:madcap.lua}, to the
 * golden bytes. When these change on purpose, take the new capture from {@code target/madcap.pcap}.
 */
class CaptureTest {

    private static final NetAddress CLIENT = NetAddress.parse("192.0.2.100");
    private static final int CLIENT_PORT = 40000;

    @Test
    void captureHoldsTheGoldenMessages() throws IOException {
        CaptureFile capture = new CaptureFile();
        for (String name : GoldenFiles.NAMES) {
            byte[] bytes = GoldenFiles.read(name);
            Message message = Objects.requireNonNull(GoldenMessages.all().get(name));
            NetAddress server = GoldenMessages.SERVER;
            if (message.type().isReply()) {
                capture.add(server, Message.SERVER_PORT, CLIENT, CLIENT_PORT, bytes);
            } else {
                boolean isMulticast =
                        message.type() != MessageType.RENEW
                                && message.type() != MessageType.RELEASE;
                NetAddress to = isMulticast ? ScopeZone.IPV4_LOCAL.serverAddress() : server;
                capture.add(CLIENT, CLIENT_PORT, to, Message.SERVER_PORT, bytes);
            }
        }
        byte[] made = capture.toByteArray();
        Files.write(Path.of("target", "madcap.pcap"), made);
        try (InputStream kept = CaptureTest.class.getResourceAsStream("/golden/madcap.pcap")) {
            assertThat(kept).isNotNull();
            assertThat(kept.readAllBytes()).isEqualTo(made);
        }
    }
}
