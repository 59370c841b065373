package org.madcast.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How people read leases. */
class LeaseTextTest {

    private static JsonObject lease() throws Exception {
        return JsonParser.object()
                .from(
                        """
                        {"groups":[{"address":"ff18::8000:9a","port":5310},
                                   {"address":"239.192.0.7","port":5000}],
                         "expiresAt":"2026-12-24T18:00:00Z","scope":"s","id":"i","secret":"x"}\
                        """);
    }

    @ParameterizedTest
    @EnumSource(
            value = LeaseFormat.class,
            names = {"TEXT", "ENV"})
    void anIpv6GroupIsToldFromItsPort(LeaseFormat format) throws Exception {
        assertThat(format.print(lease()))
                .contains("[ff18::8000:9a]:5310 239.192.0.7:5000")
                .doesNotContain(" ff18::");
    }

    @Test
    void onePortIsNoRange() {
        assertThat(LeaseText.ports(30_042, 30_042)).isEqualTo("30042");
        assertThat(LeaseText.ports(30_042, 30_045)).isEqualTo("30042-30045");
    }
}
