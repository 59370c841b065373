package org.madcast.madcap.codec;

import org.jspecify.annotations.Nullable;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;

/**
 * What became of a datagram. RFC 2730 treats two kinds of bad ones differently: what is no sequence
 * of options at all is ignored ({@link Rejected}); what is one, but with wrong contents, a server
 * answers with error 1 ({@link Invalid}). A client ignores both.
 */
public sealed interface DecodeResult {

    /** A message. Whether it has the right options for its type has not been looked at. */
    record Decoded(Message message) implements DecodeResult {}

    /**
     * A header and a well-formed sequence of options whose contents are wrong.
     *
     * @param typeCode the type's byte, 0 to 255
     * @param familyCode the address family, 0 to 65535
     * @param xid the transaction
     * @param leaseId the lease, null when the option is missing, wrong or repeated
     * @param fault what is wrong
     * @param optionCode with which option, {@link Option.Kind#NO_OPTION} when with none
     */
    record Invalid(
            int typeCode,
            int familyCode,
            int xid,
            @Nullable LeaseId leaseId,
            Fault fault,
            int optionCode)
            implements DecodeResult {}

    /** No message; to be ignored, perhaps counted. */
    record Rejected(RejectReason reason) implements DecodeResult {}

    /** What is wrong with the contents of a message. */
    enum Fault {
        /** The type is none of the eight. */
        UNKNOWN_TYPE,
        /** A defined option occurs more than once. */
        REPEATED_OPTION,
        /** An option has a length or a value that its definition does not allow. */
        BAD_OPTION
    }

    /** Why a datagram is no message. */
    enum RejectReason {
        /** Less than 12 bytes. */
        TOO_SHORT,
        /** A version other than 0. */
        WRONG_VERSION,
        /** An option that reaches beyond the end. */
        TRUNCATED_OPTION,
        /** No End option where the datagram ends. */
        NO_END,
        /** An End option that has a length. */
        END_WITH_LENGTH,
        /** Bytes after the End option. */
        BYTES_AFTER_END
    }
}
