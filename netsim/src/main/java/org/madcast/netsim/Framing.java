package org.madcast.netsim;

/**
 * What a UDP datagram becomes on Ethernet: one or more IPv4 fragments, each in a frame.
 *
 * <p>Each frame costs 14 bytes of header, 4 of check sequence and 20 of preamble and gap, carries
 * at least 46 bytes, and of these 20 are the IP header; the first holds 8 bytes of UDP header too.
 * So 1472 bytes of payload with an MTU of 1500 take 1538 bytes of the wire's time.
 *
 * @param mtuBytes the largest IP packet
 * @param maxDatagramBytes the largest UDP payload that a node may send; the simulator's buffers are
 *     this large
 * @param frameBytes what a frame adds to an IP packet; 38, unless the links are shapers, for which
 *     only the header of 14 counts
 */
public record Framing(int mtuBytes, int maxDatagramBytes, int frameBytes) {

    /** Plain Ethernet, datagrams that need no fragmentation. */
    public static final Framing ETHERNET = new Framing(1500, 1472);

    /** Plain Ethernet, datagrams of any length that UDP has. */
    public static final Framing ETHERNET_FRAGMENTED = new Framing(1500, 65507);

    /** Frames of 9000 bytes, datagrams that need no fragmentation. */
    public static final Framing JUMBO = new Framing(9000, 8972);

    private static final int IP_HEADER_BYTES = 20;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int FRAME_BYTES = 14 + 4 + 20;
    private static final int SHAPED_FRAME_BYTES = 14;
    private static final int MIN_FRAME_PAYLOAD_BYTES = 46;

    /** Checks the ranges. */
    public Framing {
        if (mtuBytes < 68 || frameBytes < 0 || maxDatagramBytes < 1 || maxDatagramBytes > 65507) {
            throw new IllegalArgumentException(
                    "MTU "
                            + mtuBytes
                            + " must be at least 68, largest datagram "
                            + maxDatagramBytes
                            + " in 1..65507");
        }
    }

    /** Frames on a wire. */
    public Framing(int mtuBytes, int maxDatagramBytes) {
        this(mtuBytes, maxDatagramBytes, FRAME_BYTES);
    }

    /** The same frames as Linux's shapers count them: without check sequence, preamble and gap. */
    public Framing shaped() {
        return new Framing(mtuBytes, maxDatagramBytes, SHAPED_FRAME_BYTES);
    }

    /** How many frames a datagram with this payload takes. */
    public int frames(int payloadBytes) {
        int ipPayloadBytes = payloadBytes + UDP_HEADER_BYTES;
        if (ipPayloadBytes + IP_HEADER_BYTES <= mtuBytes) {
            return 1;
        }
        int perFrame = perFragmentBytes();
        return (ipPayloadBytes + perFrame - 1) / perFrame;
    }

    /** How many bytes of the wire's time a datagram with this payload takes. */
    public int wireBytes(int payloadBytes) {
        int frames = frames(payloadBytes);
        int ipPayloadBytes = payloadBytes + UDP_HEADER_BYTES;
        int lastBytes = ipPayloadBytes - (frames - 1) * perFragmentBytes() + IP_HEADER_BYTES;
        int paddingBytes = Math.max(0, MIN_FRAME_PAYLOAD_BYTES - lastBytes);
        return ipPayloadBytes + frames * (IP_HEADER_BYTES + frameBytes) + paddingBytes;
    }

    /** Fragments but the last carry a multiple of 8 bytes (RFC 791 section 3.2). */
    private int perFragmentBytes() {
        return (mtuBytes - IP_HEADER_BYTES) & ~7;
    }
}
