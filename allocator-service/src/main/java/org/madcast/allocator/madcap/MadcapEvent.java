package org.madcast.allocator.madcap;

import java.util.Locale;
import org.madcast.madcap.MessageType;

/**
 * A datagram came to the MADCAP server.
 *
 * @param fate what became of it
 */
public record MadcapEvent(Fate fate) {

    /** What becomes of a datagram. */
    public enum Fate {
        /** Answered with an OFFER. */
        OFFER,
        /** Answered with an ACK. */
        ACK,
        /** Answered with a NAK, after the leases were looked at. */
        NAK,
        /** Answered with a NAK at once. */
        REFUSED,
        /** It ended a hold. */
        HOLD_ENDED,
        /** It had come before. */
        REPEATED,
        /** Nothing to answer: no request, or not for this server. */
        DROPPED,
        /** From a network that is not served. */
        FOREIGN_NETWORK,
        /** Beyond the rate of its source, or more than can be worked on. */
        TOO_MANY,
        /** The database did not answer. */
        STORE_AWAY,
        /** The reply could not be sent. */
        UNSENT;

        /** The fate of a request with this reply. */
        static Fate of(MessageType reply) {
            return switch (reply) {
                case OFFER -> OFFER;
                case ACK -> ACK;
                case NAK -> NAK;
                case DISCOVER, REQUEST, RENEW, RELEASE, GETINFO ->
                        throw new IllegalArgumentException("no reply: " + reply);
            };
        }

        /** As a metric's tag. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
