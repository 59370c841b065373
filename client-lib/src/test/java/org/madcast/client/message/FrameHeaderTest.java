package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** Frames byte for byte (docs/MESSAGES.md), and what no rank writes. */
class FrameHeaderTest {

    private static String hex(FrameHeader header) {
        ByteBuffer out = ByteBuffer.allocate(FrameHeader.BYTES);
        header.write(out);
        return HexFormat.of().formatHex(out.array());
    }

    @Test
    void framesAreAsDocumented() {
        assertThat(hex(FrameHeader.eager(0x1122334455667788L, 7, 9, 0x0700000000000010L, 16)))
                .isEqualTo(
                        "00000000"
                                + "00000007"
                                + "1122334455667788"
                                + "0000000000000009"
                                + "0000000000000000"
                                + "0700000000000010"
                                + "00000010");
        assertThat(hex(FrameHeader.ready(1, 2, 3, 4, 5)))
                .isEqualTo(
                        "01000000"
                                + "00000002"
                                + "0000000000000001"
                                + "0000000000000003"
                                + "0000000000000005"
                                + "0000000000000004"
                                + "00000000");
        assertThat(hex(FrameHeader.clear(3, -1)))
                .isEqualTo(
                        "02000000"
                                + "ffffffff"
                                + "0000000000000000"
                                + "0000000000000003"
                                + "ffffffffffffffff"
                                + "0000000000000000"
                                + "00000000");
        assertThat(hex(FrameHeader.data(3, 4, 5))).startsWith("03000000ffffffff").endsWith("05");
        assertThat(hex(FrameHeader.bare(FrameHeader.Type.LEAVE, 0))).startsWith("07000000ffffffff");
        assertThat(hex(FrameHeader.abort(1, 5))).startsWith("08000000ffffffff").endsWith("05");
        assertThat(hex(FrameHeader.notice(1, 5))).startsWith("09000000ffffffff").endsWith("05");
    }

    @Test
    void whatIsReadIsWhatWasWritten() {
        Seeds.forEach(
                2000,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "frames");
                    byte[] bytes = new byte[FrameHeader.BYTES];
                    for (int i = 0; i < bytes.length; i++) {
                        bytes[i] = random.nextInt(3) > 0 ? 0 : (byte) random.nextInt(256);
                    }
                    bytes[0] = (byte) random.nextInt(12);
                    if (random.nextInt(2) == 0) {
                        ByteBuffer.wrap(bytes).putInt(4, -1);
                    }
                    FrameHeader read = FrameHeader.read(ByteBuffer.wrap(bytes));
                    if (read != null) {
                        assertThat(hex(read)).isEqualTo(HexFormat.of().formatHex(bytes));
                    }
                });
    }

    @Test
    void whatNoRankWritesIsRefused() {
        assertRefused(0, 10 << 24); // a type that does not exist
        assertRefused(0, 1); // a reserved byte
        assertRefused(4, -1); // an EAGER message without a tag
        assertRefused(40, FrameHeader.MOST_BODY_BYTES + 1);
        assertRefused(40, -1);
        assertRefused(24, -1); // a negative number
    }

    private static void assertRefused(int offset, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameHeader.BYTES);
        assertThat(FrameHeader.read(bytes.duplicate())).isNotNull();
        bytes.putInt(offset, value);
        assertThat(FrameHeader.read(bytes)).isNull();
    }
}
