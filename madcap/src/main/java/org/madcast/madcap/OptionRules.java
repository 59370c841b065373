package org.madcast.madcap;

import java.util.Optional;

/**
 * Which options a message must, may and must not have: RFC 2730, table 5, and section 2.12, by
 * which start, retry and maximum start times need the current time. An option of RFC 2907 or one
 * that is not defined never makes a message invalid.
 */
public final class OptionRules {

    /** The columns of table 5: an ACK has as many forms as there are messages that it answers. */
    public enum Form {
        /** GETINFO. */
        GETINFO(0),
        /** ACK in response to GETINFO. */
        ACK_TO_GETINFO(1),
        /** DISCOVER. */
        DISCOVER(2),
        /** OFFER. */
        OFFER(3),
        /** REQUEST; the server identifier is demanded of multicast ones elsewhere. */
        REQUEST(4),
        /** ACK in response to REQUEST. */
        ACK_TO_REQUEST(5),
        /** RENEW. */
        RENEW(6),
        /** ACK in response to RENEW. */
        ACK_TO_RENEW(7),
        /** RELEASE. */
        RELEASE(8),
        /** ACK in response to RELEASE. */
        ACK_TO_RELEASE(9),
        /** NAK. */
        NAK(10);

        /** The place in a row of the table. */
        private final int column;

        Form(int column) {
            this.column = column;
        }

        /** The form of a message that a client sends. */
        public static Form ofRequest(MessageType type) {
            return switch (type) {
                case GETINFO -> GETINFO;
                case DISCOVER -> DISCOVER;
                case REQUEST -> REQUEST;
                case RENEW -> RENEW;
                case RELEASE -> RELEASE;
                case OFFER, ACK, NAK ->
                        throw new IllegalArgumentException(type + " is sent by servers");
            };
        }

        /** The form of the ACK, or for DISCOVER of the OFFER, that answers this request. */
        public Form answer() {
            return switch (this) {
                case GETINFO -> ACK_TO_GETINFO;
                case DISCOVER -> OFFER;
                case REQUEST -> ACK_TO_REQUEST;
                case RENEW -> ACK_TO_RENEW;
                case RELEASE -> ACK_TO_RELEASE;
                case ACK_TO_GETINFO, OFFER, ACK_TO_REQUEST, ACK_TO_RENEW, ACK_TO_RELEASE, NAK ->
                        throw new IllegalArgumentException(this + " has no answer");
            };
        }
    }

    private static final char MUST = '!';
    private static final char MUST_NOT = '-';

    private OptionRules() {}

    /** The option that a message lacks or has in spite of the rules, the lowest first. */
    public static Optional<Option.Kind> violation(Form form, Message message) {
        long present = 0;
        for (Option option : message.options()) {
            if (option instanceof Option.Known known) {
                present |= bit(known.kind());
            }
        }
        for (Option.Kind kind : Option.Kind.values()) {
            char rule = kind.forms().charAt(form.column);
            boolean isPresent = (present & bit(kind)) != 0;
            if (isPresent ? rule == MUST_NOT : rule == MUST) {
                return Optional.of(kind);
            }
        }
        long absoluteTimes =
                bit(Option.Kind.START_TIME)
                        | bit(Option.Kind.RETRY_TIME)
                        | bit(Option.Kind.MAXIMUM_START_TIME);
        boolean lacksCurrentTime =
                (present & absoluteTimes) != 0 && (present & bit(Option.Kind.CURRENT_TIME)) == 0;
        return lacksCurrentTime ? Optional.of(Option.Kind.CURRENT_TIME) : Optional.empty();
    }

    private static long bit(Option.Kind kind) {
        return 1L << kind.code();
    }
}
