package org.madcast.madcap.client;

import java.util.Comparator;
import java.util.List;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;

/**
 * How a client selects among offers (RFC 2730, section 2.2.2). Each offer was checked to be within
 * what the DISCOVER allows. Pure.
 */
public interface OfferChoice {

    /** Whether to take this offer without waiting for others. */
    boolean takeAtOnce(Message discover, Message offer);

    /** The offer to take when the time for offers is over; there is at least one. */
    Message choose(Message discover, List<Message> offers);

    /** Takes the first. */
    OfferChoice FIRST =
            new OfferChoice() {
                @Override
                public boolean takeAtOnce(Message discover, Message offer) {
                    return true;
                }

                @Override
                public Message choose(Message discover, List<Message> offers) {
                    return offers.getFirst();
                }
            };

    /**
     * Takes the first offer that has the lease time and start that were asked for; when there is
     * none, the one with the longest lease, of equal ones the one that starts first, then the one
     * that came first.
     */
    OfferChoice BEST_TERMS =
            new OfferChoice() {
                @Override
                public boolean takeAtOnce(Message discover, Message offer) {
                    Option.LeaseTime wanted = discover.find(Option.LeaseTime.class);
                    if (wanted == null) {
                        return false;
                    }
                    Option.StartTime wantedStart = discover.find(Option.StartTime.class);
                    long latest = wantedStart == null ? 0 : wantedStart.epochSeconds();
                    return leaseSeconds(offer) >= wanted.seconds() && startSeconds(offer) <= latest;
                }

                @Override
                public Message choose(Message discover, List<Message> offers) {
                    Comparator<Message> worse =
                            Comparator.comparingLong(offer -> -leaseSeconds(offer));
                    return offers.stream()
                            .sorted(worse.thenComparingLong(OfferChoice::startSeconds))
                            .findFirst()
                            .orElseThrow();
                }
            };

    private static long leaseSeconds(Message offer) {
        Option.LeaseTime time = offer.find(Option.LeaseTime.class);
        return time == null ? 0 : time.seconds();
    }

    /** When the offered lease starts; 0 when as wished. */
    private static long startSeconds(Message offer) {
        Option.StartTime time = offer.find(Option.StartTime.class);
        return time == null ? 0 : time.epochSeconds();
    }
}
