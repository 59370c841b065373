package org.madcast.madcap;

/**
 * What a client calls its lease (RFC 2730, section 2.4). To a server the bytes are opaque and two
 * identifiers are the same when their bytes are. A client that knows an identifier may renew or
 * release the lease, so treat it as a secret where that matters.
 *
 * @param octets type and value, 1 to 65535 bytes
 */
public record LeaseId(Octets octets) {

    /** Type of an identifier made of random bytes (section 2.4.1). */
    public static final int RANDOM = 0;

    /** Type of an identifier made of an address and the client's own bytes (section 2.4.2). */
    public static final int ADDRESS_SPECIFIC = 1;

    /** How many random bytes section 2.4.1 asks for. */
    public static final int RANDOM_BYTES = 16;

    public LeaseId {
        Unsigned.within("length of a lease identifier", octets.lengthBytes(), 1, Unsigned.U16_MAX);
    }

    /**
     * An identifier of type 0.
     *
     * @param random at least {@link #RANDOM_BYTES} bytes from the caller's own good generator
     */
    public static LeaseId random(byte[] random) {
        if (random.length < RANDOM_BYTES) {
            throw new IllegalArgumentException(
                    random.length + " random bytes, at least " + RANDOM_BYTES + " are needed");
        }
        byte[] bytes = new byte[1 + random.length];
        bytes[0] = RANDOM;
        System.arraycopy(random, 0, bytes, 1, random.length);
        return new LeaseId(Octets.of(bytes));
    }

    /**
     * An identifier of type 1.
     *
     * @param address a globally unique address of this client
     * @param clientSpecific what distinguishes this client's leases, such as a counter
     */
    public static LeaseId addressSpecific(NetAddress address, byte[] clientSpecific) {
        byte[] addressBytes = address.octets().toByteArray();
        byte[] bytes = new byte[3 + addressBytes.length + clientSpecific.length];
        bytes[0] = ADDRESS_SPECIFIC;
        bytes[1] = (byte) (address.family().code() >> 8);
        bytes[2] = (byte) address.family().code();
        System.arraycopy(addressBytes, 0, bytes, 3, addressBytes.length);
        System.arraycopy(clientSpecific, 0, bytes, 3 + addressBytes.length, clientSpecific.length);
        return new LeaseId(Octets.of(bytes));
    }

    /** The first byte: {@link #RANDOM}, {@link #ADDRESS_SPECIFIC} or one defined later. */
    public int type() {
        return octets.at(0);
    }
}
