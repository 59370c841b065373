package org.madcast.lab;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The addresses of one lab: {@code 10.77.N.0/24} and {@code fd77:4d43:N::/64}. They exist inside
 * the lab's own namespaces only.
 *
 * @param number 1 to 254
 */
record Subnet(int number) {
    static final int LEAST = 1;
    static final int MOST = 254;
    private static final int GATEWAY = 254;

    Subnet {
        if (number < LEAST || number > MOST) {
            throw new IllegalArgumentException("subnet outside 1 to 254: " + number);
        }
    }

    InetAddress host(int index) {
        return address4(index + 1);
    }

    InetAddress host6(int index) {
        return address6(index + 1);
    }

    InetAddress gateway() {
        return address4(GATEWAY);
    }

    InetAddress gateway6() {
        return address6(GATEWAY);
    }

    /** A locally administered hardware address that no other port of the lab has. */
    String hardwareAddress(int kind, int index) {
        return "02:4d:43:%02x:%02x:%02x".formatted(number, kind, index);
    }

    private InetAddress address4(int last) {
        return address(new byte[] {10, 77, (byte) number, (byte) last});
    }

    private InetAddress address6(int last) {
        byte[] bytes = new byte[16];
        bytes[0] = (byte) 0xfd;
        bytes[1] = 0x77;
        bytes[2] = 0x4d;
        bytes[3] = 0x43;
        bytes[5] = (byte) number;
        bytes[15] = (byte) last;
        return address(bytes);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }
}
