package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class ForeignSendersTest {

    private final ForeignSenders senders = new ForeignSenders();

    @Test
    void keepsTheLatestFewOnce() {
        for (int port = 1; port <= 10; port++) {
            senders.add(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.7"), port), port);
        }
        senders.add(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.7"), 5), 11);
        assertThat(senders.counted()).isEqualTo(11);
        assertThat(senders.senders())
                .hasSize(8)
                .startsWith("10.0.0.7:5", "10.0.0.7:10", "10.0.0.7:9")
                .doesNotContain("10.0.0.7:1", "10.0.0.7:2")
                .doesNotHaveDuplicates();
    }

    @Test
    void writesIpv6AsPeopleDo() {
        senders.add(new InetSocketAddress(InetAddress.ofLiteral("fd00::1"), 5000), 1);
        assertThat(senders.senders()).containsExactly("[fd00:0:0:0:0:0:0:1]:5000");
    }

    @Test
    void countsWhatNobodySent() {
        senders.add(null, 3);
        assertThat(senders.counted()).isEqualTo(3);
        assertThat(senders.senders()).isEmpty();
    }
}
