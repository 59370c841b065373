package org.madcast.madcap;

import org.jspecify.annotations.Nullable;

/** The eight kinds of messages (RFC 2730, table 2). */
public enum MessageType {
    /** Who can serve this? Sent by a client to a group of servers. */
    DISCOVER(1),
    /** A server could, and holds addresses for a while. */
    OFFER(2),
    /** Give me a lease. */
    REQUEST(3),
    /** Change the times of my lease. */
    RENEW(4),
    /** Done, or the information asked for. */
    ACK(5),
    /** Not done; an {@link Option.ErrorOption} says why. */
    NAK(6),
    /** End my lease. */
    RELEASE(7),
    /** Which scopes are there, and which servers? */
    GETINFO(8);

    private static final MessageType[] TYPES = values();

    private final int code;

    MessageType(int code) {
        this.code = code;
    }

    /** The byte on the wire. */
    public int code() {
        return code;
    }

    /** Whether only servers send such messages. */
    public boolean isReply() {
        return this == OFFER || this == ACK || this == NAK;
    }

    /** The type with this byte, null when there is none. */
    public static @Nullable MessageType ofCode(int code) {
        return code >= 1 && code <= TYPES.length ? TYPES[code - 1] : null;
    }
}
