package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several addresses a rank gets. */
final class NetworkAttachmentTest {

    private static final InetAddress FIRST = InetAddress.ofLiteral("10.0.0.7");
    private static final InetAddress FLOATING = InetAddress.ofLiteral("10.0.0.200");
    private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("172.16.0.1");
    private static final InetAddress GLOBAL = InetAddress.ofLiteral("2001:db8::7");
    private static final InetAddress LINK_LOCAL = InetAddress.ofLiteral("fe80::7");
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.255.0.1");

    @Test
    void theOneThatTheKernelUsesTowardsThePeer() {
        assertThat(NetworkAttachment.choose(List.of(FLOATING, FIRST), FIRST)).isEqualTo(FIRST);
        assertThat(NetworkAttachment.choose(List.of(FLOATING, FIRST), FLOATING))
                .isEqualTo(FLOATING);
    }

    @Test
    void theOldestWhenAnotherInterfaceLeadsThere() {
        assertThat(NetworkAttachment.choose(List.of(FLOATING, FIRST), ELSEWHERE)).isEqualTo(FIRST);
        assertThat(NetworkAttachment.choose(List.of(FLOATING, FIRST), null)).isEqualTo(FIRST);
    }

    @Test
    void oneThatMeansSomethingOnItsLinkOnlyWhenThereIsNoOther() {
        assertThat(NetworkAttachment.choose(List.of(GLOBAL, LINK_LOCAL), null)).isEqualTo(GLOBAL);
        assertThat(NetworkAttachment.choose(List.of(LINK_LOCAL), null)).isEqualTo(LINK_LOCAL);
    }

    @Test
    void aPeerThatCannotBeFoundIsNoReasonToFail() throws Exception {
        NetworkAttachment found =
                NetworkAttachment.find(
                        "lo", InetSocketAddress.createUnresolved("nowhere", 1), GROUP);
        assertThat(found.networkInterface().getName()).isEqualTo("lo");
    }

    @Test
    void anInterfaceThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> NetworkAttachment.find("192.0.2.77", null, GROUP))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("192.0.2.77");
    }
}
