package org.madcast.madcap.client;

import java.time.Duration;

/**
 * How a client goes about an exchange.
 *
 * @param schedule when to send again
 * @param offerChoice which offer to take
 * @param shortestRetryDelay the least time that passes before a server that said "ask again later"
 *     is asked again, whatever it said; more than zero
 */
public record ExchangeSettings(
        RetransmissionSchedule schedule, OfferChoice offerChoice, Duration shortestRetryDelay) {

    /** The recommended values of RFC 2730. */
    public static final ExchangeSettings DEFAULT =
            new ExchangeSettings(
                    RetransmissionSchedule.RFC_2730, OfferChoice.BEST_TERMS, Duration.ofSeconds(4));

    public ExchangeSettings {
        if (!shortestRetryDelay.isPositive()) {
            throw new IllegalArgumentException("Shortest retry delay " + shortestRetryDelay);
        }
    }
}
