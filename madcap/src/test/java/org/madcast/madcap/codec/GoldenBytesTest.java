package org.madcast.madcap.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.madcast.madcap.GoldenFiles;
import org.madcast.madcap.GoldenMessages;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.Option;

class GoldenBytesTest {

    private static final Map<String, Message> MESSAGES = GoldenMessages.all();

    private static Message message(String name) {
        return Objects.requireNonNull(MESSAGES.get(name));
    }

    static List<String> names() {
        return GoldenFiles.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void messageEncodesToGoldenBytes(String name) {
        assertThat(MadcapEncoder.encode(message(name))).isEqualTo(GoldenFiles.read(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void goldenBytesDecodeToMessage(String name) {
        assertThat(MadcapDecoder.decode(GoldenFiles.read(name)))
                .isEqualTo(new DecodeResult.Decoded(message(name)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void independentCodecAgrees(String name) {
        byte[] golden = GoldenFiles.read(name);
        assertThat(TableCodec.describe(golden)).isEqualTo(Canonical.of(message(name)));
        assertThat(TableCodec.reencode(golden)).isEqualTo(golden);
    }

    @Test
    void everyTypeAndEveryOptionIsThere() {
        Set<MessageType> types = EnumSet.noneOf(MessageType.class);
        Set<Integer> codes = new TreeSet<>();
        for (Message message : MESSAGES.values()) {
            types.add(message.type());
            message.options().stream().map(Option::code).forEach(codes::add);
        }
        assertThat(MESSAGES.keySet()).containsExactlyInAnyOrderElementsOf(GoldenFiles.NAMES);
        assertThat(types).containsExactly(MessageType.values());
        for (Option.Kind kind : Option.Kind.values()) {
            assertThat(kind == Option.Kind.END || codes.contains(kind.code())).isTrue();
        }
    }

    @Test
    void bufferMayLieAnywhereAndIsLeftUnchanged() {
        byte[] golden = GoldenFiles.read("discover");
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(golden.length + 9).order(ByteOrder.LITTLE_ENDIAN);
        buffer.position(5);
        assertThat(MadcapEncoder.encode(message("discover"), buffer)).isEqualTo(golden.length);
        buffer.flip().position(5);
        assertThat(MadcapDecoder.decode(buffer))
                .isEqualTo(new DecodeResult.Decoded(message("discover")));
        assertThat(buffer.remaining()).isEqualTo(golden.length);
    }

    @Test
    void orderOfOptionsMeansNothing() {
        byte[] golden = GoldenFiles.read("getinfo");
        byte[] reordered = golden.clone();
        int leaseIdBytes = 4 + 17;
        int rest = golden.length - 8 - leaseIdBytes - 4;
        System.arraycopy(golden, 8 + leaseIdBytes, reordered, 8, rest);
        System.arraycopy(golden, 8, reordered, 8 + rest, leaseIdBytes);
        assertThat(reordered).isNotEqualTo(golden);
        assertThat(MadcapDecoder.decode(reordered)).isEqualTo(MadcapDecoder.decode(golden));
    }
}
