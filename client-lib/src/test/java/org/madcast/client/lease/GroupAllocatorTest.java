package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/** Another group is one that the sockets can join. */
@Timeout(180)
final class GroupAllocatorTest {

    private static MulticastGroup group(String address) {
        return new MulticastGroup(InetAddress.ofLiteral(address), 5000);
    }

    @Test
    void aLeasedGroupOfTheOtherFamilyIsGivenBack() throws Exception {
        try (ContractService service = new ContractService();
                ServiceConnection connection =
                        new ServiceConnection(service.uri(), null, Duration.ofSeconds(5))) {
            CommunicatorConfig config =
                    CommunicatorConfig.builder("job", 0, 2)
                            .serviceUri(service.uri())
                            .madcap(CommunicatorConfig.MADCAP_OFF)
                            .build();
            try (GroupAllocator supply = new GroupAllocator(config, connection)) {
                ReplacementGroup drawn = supply.next(group("ff15::1"));
                assertThat(drawn.group().address()).isInstanceOf(Inet6Address.class);
                assertThat(drawn.source()).isEqualTo(GroupSource.RANDOM);
                assertThat(service.seen).anyMatch(it -> it.startsWith("DELETE /v1/leases/"));
                ReplacementGroup leased = supply.next(group("239.1.2.3"));
                assertThat(leased.group().address()).isInstanceOf(Inet4Address.class);
                assertThat(leased.source()).isEqualTo(GroupSource.LEASED);
            }
        }
    }
}
