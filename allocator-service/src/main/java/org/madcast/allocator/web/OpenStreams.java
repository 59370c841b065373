package org.madcast.allocator.web;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Counts the event streams that are open. One address, and one token, may have some at a time, so
 * that all have room. From any thread.
 */
@Component
public class OpenStreams {

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final int mostOfOne;

    OpenStreams(@Value("${madcast.dashboard.pages-of-one-client:50}") int mostOfOne) {
        this.mostOfOne = mostOfOne;
    }

    /**
     * Counts one more.
     *
     * @param address the client's address
     * @param token the name of its token, null without one
     * @return to be run once, when the stream has ended
     * @throws Problem when that address or token has too many
     */
    public Runnable take(String address, @Nullable String token) {
        String ofAddress = "address " + address;
        take(ofAddress);
        if (token == null) {
            return () -> give(ofAddress);
        }
        String ofToken = "token " + token;
        try {
            take(ofToken);
        } catch (Problem tooMany) {
            give(ofAddress);
            throw tooMany;
        }
        return () -> {
            give(ofAddress);
            give(ofToken);
        };
    }

    private void take(String client) {
        if (open.merge(client, 1, Integer::sum) > mostOfOne) {
            give(client);
            throw new Problem(
                            ProblemType.TOO_MANY_REQUESTS,
                            "One address, and one token, may have %d event streams open, pages that"
                                            .formatted(mostOfOne)
                                    + " refresh themselves included.")
                    .with("mostOpen", mostOfOne)
                    .retryAfter(RETRY);
        }
    }

    private void give(String client) {
        open.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    }
}
