package org.madcast.client.protocol;

/**
 * What a root's rate is bound by besides its link.
 *
 * @param bitsPerSecond at most so much is sent, 0 for as much as the socket takes
 * @param followsSlowest whether the root slows down to what the slowest receiver takes; when not,
 *     that one asks for the most of it again, and all others wait for it only when the window is
 *     full
 * @param catchUpNs how much time the root may make up for when it was kept from sending while it
 *     left room for repairs
 */
public record RateLimits(long bitsPerSecond, boolean followsSlowest, long catchUpNs) {

    /** As much as the socket and the slowest receiver take. */
    public static final RateLimits NONE = new RateLimits(0, true, 0);
}
