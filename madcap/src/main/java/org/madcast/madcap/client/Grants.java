package org.madcast.madcap.client;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;

/** Reads ACKs that {@link ReplyCheck} found good. */
final class Grants {

    private Grants() {}

    static GrantedLease lease(Message ack) {
        Option.StartTime start = ack.find(Option.StartTime.class);
        return new GrantedLease(
                Objects.requireNonNull(ack.leaseId()),
                there(ack.find(Option.MulticastScope.class)).scopeId(),
                there(ack.find(Option.AddressRangeList.class)).ranges(),
                there(ack.find(Option.LeaseTime.class)).duration(),
                start == null ? null : start.instant(),
                Objects.requireNonNull(ack.serverId()),
                ack.features().required());
    }

    /** How long to wait by the server's own clock, so that the client's does not matter. */
    static Duration retryDelay(Message ack, Duration shortest) {
        long seconds =
                there(ack.find(Option.RetryTime.class)).epochSeconds()
                        - there(ack.find(Option.CurrentTime.class)).epochSeconds();
        Duration said = Duration.ofSeconds(seconds);
        return said.compareTo(shortest) < 0 ? shortest : said;
    }

    private static <T> T there(@Nullable T option) {
        return Objects.requireNonNull(option);
    }
}
