package org.madcast.agent.probe;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/** Where a probe multicasts to: what the user wrote, or a group of 239.192.0.0/14 by lot. */
public final class GroupToTry {

    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;

    private final RandomGenerator random;

    /** Groups that this generator draws. */
    public GroupToTry(RandomGenerator random) {
        this.random = random;
    }

    /** Another one each time. */
    public InetSocketAddress draw() {
        byte[] address = {
            (byte) 239,
            (byte) (192 + random.nextInt(4)),
            (byte) random.nextInt(256),
            (byte) (1 + random.nextInt(254))
        };
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(address), FIRST_PORT + random.nextInt(PORTS));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 bytes are an address", e);
        }
    }

    /**
     * Reads an address and a port.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            InetAddress address = InetAddress.ofLiteral(text.substring(0, Math.max(colon, 0)));
            int port = Integer.parseInt(text.substring(colon + 1));
            if (address.isMulticastAddress() && port > 0) {
                return new InetSocketAddress(address, port);
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "--group must look like 239.192.3.7:5000, not '" + text + "'");
    }
}
