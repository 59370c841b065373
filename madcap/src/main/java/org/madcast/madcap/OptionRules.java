package org.madcast.madcap;

import java.util.EnumMap;
import java.util.Map;
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

    /**
     * Table 5: a row for each option, a character for each form; '!' must, '?' may, '-' must not.
     */
    private static final Map<OptionKind, String> TABLE = new EnumMap<>(OptionKind.class);

    static {
        //                                        GETINFO, ACK
        //                                        |  DISCOVER, OFFER
        //                                        |  |  REQUEST, ACK
        //                                        |  |  |  RENEW, ACK
        //                                        |  |  |  |  RELEASE, ACK
        //                                        |  |  |  |  |  NAK
        row(OptionKind.LEASE_TIME, /*          */ "-- ?! ?! ?! -- -");
        row(OptionKind.SERVER_IDENTIFIER, /*   */ "-! -! ?! -! -! !");
        row(OptionKind.LEASE_IDENTIFIER, /*    */ "!! !! !! !! !! !");
        row(OptionKind.MULTICAST_SCOPE, /*     */ "-- !! !! -! -- -");
        row(OptionKind.OPTION_REQUEST_LIST, /* */ "!- -- -- -- -- -");
        row(OptionKind.START_TIME, /*          */ "-- ?? ?? ?? -- -");
        row(OptionKind.NUMBER_OF_ADDRESSES, /* */ "-- ?- ?- -- -- -");
        row(OptionKind.REQUESTED_LANGUAGE, /*  */ "?- -- -- -- -- -");
        row(OptionKind.MULTICAST_SCOPE_LIST, /**/ "-? -- -- -- -- -");
        row(OptionKind.ADDRESS_RANGE_LIST, /*  */ "-- ?? ?! -! -- -");
        row(OptionKind.CURRENT_TIME, /*        */ "-? ?? ?? ?? -- -");
        row(OptionKind.FEATURE_LIST, /*        */ "?? ?? ?? ?? ?? ?");
        row(OptionKind.RETRY_TIME, /*          */ "-- -- -? -? -- -");
        row(OptionKind.MINIMUM_LEASE_TIME, /*  */ "-- ?- ?- ?- -- -");
        row(OptionKind.MAXIMUM_START_TIME, /*  */ "-- ?- ?- ?- -- -");
        row(OptionKind.ERROR, /*               */ "-- -- -- -- -- !");
    }

    private OptionRules() {}

    private static void row(OptionKind kind, String forms) {
        TABLE.put(kind, forms.replace(" ", ""));
    }

    /** The option that a message lacks or has in spite of the rules, the lowest first. */
    public static Optional<OptionKind> violation(Form form, Message message) {
        long present = 0;
        for (Option option : message.options()) {
            if (option instanceof Option.Known known) {
                present |= bit(known.kind());
            }
        }
        for (Map.Entry<OptionKind, String> row : TABLE.entrySet()) {
            char rule = row.getValue().charAt(form.column);
            boolean isPresent = (present & bit(row.getKey())) != 0;
            if (isPresent ? rule == MUST_NOT : rule == MUST) {
                return Optional.of(row.getKey());
            }
        }
        long absoluteTimes =
                bit(OptionKind.START_TIME)
                        | bit(OptionKind.RETRY_TIME)
                        | bit(OptionKind.MAXIMUM_START_TIME);
        boolean lacksCurrentTime =
                (present & absoluteTimes) != 0 && (present & bit(OptionKind.CURRENT_TIME)) == 0;
        return lacksCurrentTime ? Optional.of(OptionKind.CURRENT_TIME) : Optional.empty();
    }

    private static long bit(OptionKind kind) {
        return 1L << kind.code();
    }
}
