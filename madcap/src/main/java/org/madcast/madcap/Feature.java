package org.madcast.madcap;

/**
 * An optional feature (RFC 2730, section 2.13). Numbers defined later may stand in a message.
 *
 * @param code 0 to 65535
 */
public record Feature(int code) implements Comparable<Feature> {

    /** A lease may be renewed and released at another server than the one that granted it. */
    public static final Feature SERVER_MOBILITY = new Feature(0);

    /** The server may ask to be asked again later. */
    public static final Feature RETRY_AFTER = new Feature(1);

    /** A client that knows the lease identifier may change the lease. */
    public static final Feature SHARED_LEASE_IDENTIFIER = new Feature(2);

    public Feature {
        Unsigned.u16("feature code", code);
    }

    @Override
    public int compareTo(Feature other) {
        return Integer.compare(code, other.code);
    }
}
