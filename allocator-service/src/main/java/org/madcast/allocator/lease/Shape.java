package org.madcast.allocator.lease;

import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.AddressBlock;
import org.madcast.allocator.scope.AddressPool;

/**
 * Which groups a lease has, and how they lie to each other. Immutable.
 *
 * @param addresses how many addresses; of red and blue pairs, how many pairs
 * @param layout how the addresses lie to each other
 * @param alignment what the lowest address of a block is a multiple of, apart from the offset
 * @param offset what remains of the lowest address of a block when divided by the alignment
 * @param ports how many ports in a row on each address, or {@link #ALL_PORTS}
 * @param blueScope the scope of the blue groups of pairs, null otherwise
 */
public record Shape(
        int addresses,
        Layout layout,
        int alignment,
        int offset,
        int ports,
        @Nullable String blueScope) {

    /** An address whole, on whatever port: MADCAP knows no ports (RFC 2730). */
    public static final int ALL_PORTS = 65_536;

    /** How addresses lie to each other. */
    public enum Layout {
        /** Anyhow. */
        SEPARATE,
        /** In a row, so that an application can count up from the first. */
        BLOCK,
        /** In pairs from two scopes, for the same datagrams by two ways (SMPTE ST 2022-7). */
        RED_BLUE
    }

    /** Refuses what cannot be. */
    public Shape {
        if (addresses < 1 || ports < 1 || alignment < 1 || offset < 0 || offset >= alignment) {
            throw new IllegalArgumentException(
                    "no shape: %d addresses of %d ports, aligned to %d + %d"
                            .formatted(addresses, ports, alignment, offset));
        }
        if ((layout == Layout.RED_BLUE) != (blueScope != null)) {
            throw new IllegalArgumentException(
                    "red and blue pairs, and only they, have two scopes");
        }
    }

    /** This many groups, each with an address of its own. */
    public static Shape separate(int groups) {
        return new Shape(groups, Layout.SEPARATE, 1, 0, 1, null);
    }

    /** This many addresses, each on all of its ports. */
    public static Shape whole(int addresses) {
        return new Shape(addresses, Layout.SEPARATE, 1, 0, ALL_PORTS, null);
    }

    /** How many groups the lease will have; an address on all of its ports counts as one. */
    public int groups() {
        return addresses * listed(ports) * (layout == Layout.RED_BLUE ? 2 : 1);
    }

    /** The blocks of this shape in a pool. */
    AddressBlock blockIn(AddressPool pool) {
        return new AddressBlock(pool, addresses, alignment, offset);
    }

    /** How many groups are listed for {@code ports} ports of an address. */
    static int listed(int ports) {
        return ports == ALL_PORTS ? 1 : ports;
    }
}
