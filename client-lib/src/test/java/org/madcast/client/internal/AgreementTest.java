package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;
import org.madcast.client.lease.Member;
import org.madcast.client.lease.Rendezvous;

/** What the ranks agree on must be of use to all of them. */
@Timeout(180)
class AgreementTest {

    /** Says that there is a second rank, which wants such datagrams. */
    private record Claimed(int datagramBytes) implements Rendezvous {

        @Override
        public MulticastGroup group() {
            return new MulticastGroup(InetAddress.ofLiteral("239.255.77.15"), 5315);
        }

        @Override
        public GroupSource groupSource() {
            return GroupSource.CONFIGURED;
        }

        @Override
        public @Nullable String scope() {
            return null;
        }

        @Override
        public @Nullable String leaseId() {
            return null;
        }

        @Override
        public @Nullable Instant leaseExpiresAt() {
            return null;
        }

        @Override
        public long token() {
            return 1;
        }

        @Override
        public List<Member> meet(Member self, Duration timeout) {
            InetSocketAddress there =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 45_015);
            return List.of(self, new Member(1, there, 1 << 20, datagramBytes));
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 37, 291})
    void aRankThatWantsDatagramsOfNoUseIsNamed(int datagramBytes) {
        CommunicatorConfig config =
                CommunicatorConfig.builder("agreement", 0, 2).networkInterface("lo").build();
        assertThatThrownBy(() -> CommunicatorFactory.join(config, null, new Claimed(datagramBytes)))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining("rank 1 at")
                .hasMessageContaining("datagrams of " + datagramBytes + " bytes");
    }
}
