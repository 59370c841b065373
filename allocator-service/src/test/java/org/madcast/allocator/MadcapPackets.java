package org.madcast.allocator;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.madcast.madcap.LeaseId;

/**
 * Makes datagrams that have the structure of MADCAP messages and are wrong within it: options that
 * do not belong, are missing, come twice, or are of another length than they say.
 */
final class MadcapPackets {

    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final int LEASE_IDENTIFIER = 3;
    private static final int RENEW = 4;
    private static final byte[] SCOPE_4 = {(byte) 239, (byte) 192, 0, 0};

    private final Random random;
    private final byte[] scope6;

    /**
     * A maker.
     *
     * @param scope6 the first address of an IPv6 scope that is served
     */
    MadcapPackets(Random random, byte[] scope6) {
        this.random = random;
        this.scope6 = scope6;
    }

    /** A message about a lease, in a family other than the lease's: 1 or 2. */
    byte[] ofAnotherFamily(LeaseId id, int family) {
        int type = random.nextInt(4) == 0 ? 1 + random.nextInt(10) : RENEW;
        return message(type, other(family), id);
    }

    /** Any message about a lease. */
    byte[] any(LeaseId id) {
        int family = random.nextInt(10) == 0 ? random.nextInt(1 << 16) : 1 + random.nextInt(2);
        return message(random.nextInt(12), family, id);
    }

    private int other(int family) {
        if (random.nextInt(20) == 0) {
            return 3 + random.nextInt(1 << 15);
        }
        return family == IPV4 ? IPV6 : IPV4;
    }

    private byte[] message(int type, int family, LeaseId id) {
        List<byte[]> options = new ArrayList<>();
        options.add(option(LEASE_IDENTIFIER, id.octets().toByteArray()));
        int more = random.nextInt(5);
        for (int i = 0; i < more; i++) {
            int code = random.nextInt(20);
            options.add(option(code, value(code, family)));
        }
        if (random.nextInt(4) == 0) {
            Collections.shuffle(options, random);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(random.nextInt(50) == 0 ? random.nextInt() : 0);
        out.write(type);
        out.writeBytes(ByteBuffer.allocate(2).putShort((short) family).array());
        out.writeBytes(ByteBuffer.allocate(4).putInt(random.nextInt()).array());
        options.forEach(out::writeBytes);
        if (random.nextInt(10) > 0) {
            out.writeBytes(new byte[4]);
        }
        return out.toByteArray();
    }

    private byte[] option(int code, byte[] value) {
        int length = random.nextInt(15) == 0 ? random.nextInt(40) : value.length;
        return ByteBuffer.allocate(4 + value.length)
                .putShort((short) code)
                .putShort((short) length)
                .put(value)
                .array();
    }

    /** Of the length that the option has, mostly; any value. */
    private byte[] value(int code, int family) {
        byte[] any = new byte[random.nextInt(24)];
        random.nextBytes(any);
        return switch (code) {
            case 1, 6, 11, 13, 14, 15 -> seconds();
            case 4 -> random.nextBoolean() ? SCOPE_4 : scope6;
            case 5 -> new byte[] {0, (byte) random.nextInt(20), 0, (byte) random.nextInt(20)};
            case 7 -> new byte[] {0, (byte) random.nextInt(3), 0, (byte) random.nextInt(5)};
            case 10 -> family == IPV4 ? new byte[] {(byte) 239, (byte) 192, 0, 1, 0, 1} : any;
            case 12 -> new byte[] {0, 1, 0, (byte) random.nextInt(4), 0, 0, 0, 0};
            default -> any;
        };
    }

    private byte[] seconds() {
        int value =
                switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> random.nextInt();
                    default -> random.nextInt(7200);
                };
        return ByteBuffer.allocate(4).putInt(value).array();
    }
}
