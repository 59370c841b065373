package org.madcast.client.survival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class NoticeTest {

    private static BitSet ranks(int... ranks) {
        BitSet set = new BitSet();
        Arrays.stream(ranks).forEach(set::set);
        return set;
    }

    @Test
    void bytesAreAsDocumented() {
        Notice notice =
                new Notice(
                        Notice.Kind.PROPOSE,
                        7,
                        new Verdict(0x0102, ranks(0, 9)),
                        ranks(9),
                        ranks());
        assertThat(HexFormat.of().formatHex(notice.write()))
                .isEqualTo(
                        "05000000"
                                + "00000007"
                                + "0000000000000102"
                                + "00000002"
                                + "0102"
                                + "00000002"
                                + "0002"
                                + "00000000");
        assertThat(Notice.read(notice.write(), 10)).isEqualTo(notice);
    }

    @Test
    void whoWaitsTellsWhatPrecededItsCall() {
        Notice notice = Notice.waiting(7, 0x5000003, 0x0102);
        assertThat(HexFormat.of().formatHex(notice.write()))
                .startsWith("06000003" + "00000007" + "0000000000000102");
        assertThat(Notice.read(notice.write(), 10)).isEqualTo(notice);
        assertThat(Notice.more(0x5000002, notice.broadcasts())).isEqualTo(-1);
        assertThat(Notice.more(0x6000005, notice.broadcasts())).isEqualTo(2);
        assertThat(Notice.more(0x1000000, 0xFFFFFF)).isEqualTo(1);
    }

    @Test
    void ranksThatDoNotExistAreRefused() {
        byte[] bytes = new Notice(Notice.Kind.ASK, 0, Notice.NONE, ranks(9), ranks()).write();
        assertThat(Notice.read(bytes, 9)).isNull();
    }

    @Test
    void whateverComesIsReadOrRefused() {
        Seeds.forEach(
                2000,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "notices");
                    byte[] bytes =
                            new Notice(
                                            Notice.Kind.ACCEPTED,
                                            3,
                                            new Verdict(1, ranks(2)),
                                            ranks(1, 2),
                                            ranks(3))
                                    .write();
                    bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 4));
                    for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
                        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                    }
                    Notice read = Notice.read(bytes, 8);
                    if (read != null) {
                        assertThat(Notice.read(read.write(), 8)).isEqualTo(read);
                    }
                });
    }
}
