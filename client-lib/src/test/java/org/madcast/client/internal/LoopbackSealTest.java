package org.madcast.client.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Communicator;
import org.madcast.client.JobKey;

/** Sealed communicators on real sockets. */
@Timeout(180)
class LoopbackSealTest {

    private static final String HEX = "5e".repeat(32);

    @Test
    void sealedRanksBroadcastSplitAndRefuseWhatAStrangerSends() throws Exception {
        onEveryRank(
                3,
                builder -> builder.key(JobKey.ofHex(HEX)),
                communicator -> {
                    assertThat(communicator.info().local().socketPath()).endsWith(", sealed");
                    if (communicator.rank() == 0) {
                        disturb(communicator);
                    }
                    communicator.barrier();
                    byte[] message =
                            communicator.rank() == 1 ? content(1, 400_000) : new byte[400_000];
                    communicator.bcast(message, 1);
                    assertThat(message).isEqualTo(content(1, 400_000));
                    try (Communicator duplicate = communicator.dup()) {
                        byte[] again = duplicate.rank() == 2 ? content(2, 70) : new byte[70];
                        duplicate.bcast(again, 2);
                        assertThat(again).isEqualTo(content(2, 70));
                    }
                    assertThat(communicator.statistics().rejected()).containsEntry("unsealed", 20L);
                    return 0;
                });
    }

    /** Writes twenty datagrams into the group that nobody with the key has sealed. */
    private static void disturb(Communicator communicator) {
        try (MulticastSocket stranger = new MulticastSocket()) {
            stranger.setNetworkInterface(NetworkInterface.getByName("lo"));
            for (int i = 0; i < 20; i++) {
                byte[] bytes = content(i, 60 + i);
                stranger.send(
                        new DatagramPacket(
                                bytes,
                                bytes.length,
                                requireNonNull(communicator.info().group()).toSocketAddress()));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void aKeyIsNeverShown() {
        assertThat(JobKey.ofHex(HEX).toString()).isEqualTo("JobKey[256 bits]");
        assertThatThrownBy(() -> JobKey.ofHex("5e5e5e5e-secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("5e5e")
                .hasNoCause();
        assertThatThrownBy(() -> JobKey.ofHex("5e".repeat(15)))
                .hasMessageContaining("32 to 128 hexadecimal digits");
    }
}
