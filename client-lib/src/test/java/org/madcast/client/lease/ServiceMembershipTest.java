package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A membership ends, whatever the service said when it began. */
@Timeout(180)
final class ServiceMembershipTest {

    @Test
    void leavingWithASecretThatCannotBeSentIsLogged() throws IOException {
        try (ContractService service = new ContractService();
                ServiceConnection connection =
                        new ServiceConnection(service.uri(), null, Duration.ofSeconds(5));
                WarningLog log = new WarningLog(ServiceMembership.class)) {
            new ServiceMembership(
                            connection,
                            new ServiceMembership.Place("id", 0, 1, "top\nsecret", "lease-1"),
                            Duration.ofSeconds(60),
                            Duration.ofSeconds(60),
                            Instant.now())
                    .leave();
            assertThat(log.messages)
                    .singleElement()
                    .asString()
                    .contains("lease-1")
                    .doesNotContain("secret");
        }
    }
}
