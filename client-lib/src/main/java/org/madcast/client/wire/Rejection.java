package org.madcast.client.wire;

import java.util.Locale;

/** Why a datagram was rejected. Each is counted, none is an error of this rank. */
public enum Rejection {
    /** Shorter than a header, or longer than any datagram of this communicator. */
    BAD_LENGTH,
    /** Not our version: another program's datagram on the same group and port. */
    BAD_VERSION,
    /** Another communicator's token: a collision of groups. */
    FOREIGN,
    /** The CRC-32C does not fit. */
    BAD_CHECKSUM,
    /** A type that this version does not know. */
    BAD_TYPE,
    /** The sender is no rank of this communicator. */
    BAD_SENDER,
    /** A multicast datagram of this rank itself, looped back. */
    OWN_ECHO,
    /** Fields that contradict each other or what was agreed. */
    BAD_FIELD,
    /** A fragment beyond the window: stale, or from a rank that ignores the watermark. */
    OUTSIDE_WINDOW,
    /** An announcement of fragments that did not come, though every rank was alive. */
    NEVER_SENT;

    /** Whether such a datagram is of another communicator or program that uses the same group. */
    public boolean isForeign() {
        return this == FOREIGN || this == BAD_VERSION || this == BAD_LENGTH;
    }

    /** The name in statistics, such as {@code bad-checksum}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
