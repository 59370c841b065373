package org.madcast.allocator.communicator;

import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.Secrets;
import org.springframework.stereotype.Component;

/** What applies to a communicator whose job did not say, and the limits for those that did. */
@Component
class CommunicatorSettings {

    private static final HexFormat HEX = HexFormat.of();

    private final CommunicatorProperties properties;
    private final Secrets secrets;

    CommunicatorSettings(CommunicatorProperties properties, Secrets secrets) {
        this.properties = properties;
        this.secrets = secrets;
    }

    Duration leaseDuration(@Nullable Duration wanted) {
        return wanted == null ? properties.leaseDuration() : wanted;
    }

    String scope(@Nullable String wanted) {
        return wanted == null ? properties.scope() : wanted;
    }

    Duration limitWait(Duration wanted) {
        return min(wanted, properties.longestWait());
    }

    Duration limitPoll(Duration left) {
        return min(left, properties.pollInterval());
    }

    String newToken() {
        return HEX.toHexDigits(secrets.randomLong());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
