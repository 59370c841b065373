package org.madcast.madcap;

import org.jspecify.annotations.Nullable;

/** The options that are defined: 0 to 16 by RFC 2730, section 3, and 17 by RFC 2907. */
public enum OptionKind {
    /** Ends every message; the codec writes and checks it. */
    END(0),
    /** {@link Option.LeaseTime}. */
    LEASE_TIME(1),
    /** {@link Option.ServerIdentifier}. */
    SERVER_IDENTIFIER(2),
    /** {@link Option.LeaseIdentifier}. */
    LEASE_IDENTIFIER(3),
    /** {@link Option.MulticastScope}. */
    MULTICAST_SCOPE(4),
    /** {@link Option.OptionRequestList}. */
    OPTION_REQUEST_LIST(5),
    /** {@link Option.StartTime}. */
    START_TIME(6),
    /** {@link Option.NumberOfAddresses}. */
    NUMBER_OF_ADDRESSES(7),
    /** {@link Option.RequestedLanguage}. */
    REQUESTED_LANGUAGE(8),
    /** {@link Option.MulticastScopeList}. */
    MULTICAST_SCOPE_LIST(9),
    /** {@link Option.AddressRangeList}. */
    ADDRESS_RANGE_LIST(10),
    /** {@link Option.CurrentTime}. */
    CURRENT_TIME(11),
    /** {@link Option.FeatureList}. */
    FEATURE_LIST(12),
    /** {@link Option.RetryTime}. */
    RETRY_TIME(13),
    /** {@link Option.MinimumLeaseTime}. */
    MINIMUM_LEASE_TIME(14),
    /** {@link Option.MaximumStartTime}. */
    MAXIMUM_START_TIME(15),
    /** {@link Option.ErrorOption}. */
    ERROR(16),
    /** {@link Option.ScopeNesting}. */
    SCOPE_NESTING(17);

    /** Stands in an error's extra data for "no option in particular". */
    public static final int NO_OPTION = 0xffff;

    private static final OptionKind[] KINDS = values();

    private final int code;

    OptionKind(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The option with this number, null when none is defined. */
    public static @Nullable OptionKind ofCode(int code) {
        return code >= 0 && code < KINDS.length ? KINDS[code] : null;
    }
}
