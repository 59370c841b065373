package org.madcast.allocator.scope;

import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Finds addresses in a row in a pool. Pure.
 *
 * <p>Worked example: the pool is 239.192.9.1 to 239.192.9.9, wanted are 2 addresses of which the
 * first is odd (alignment 2, offset 1), and .4 is taken: .1 fits (.1 and .2), .3 does not, .5 does.
 *
 * @param pool where
 * @param size how many addresses
 * @param alignment what the first one is a multiple of, apart from the offset
 * @param offset what remains of the first one
 */
public record AddressBlock(AddressPool pool, int size, int alignment, int offset) {

    /**
     * The lowest block from an address on.
     *
     * @param fromNumber the number in the pool to begin at
     * @param taken says of an address whether it cannot be used
     * @return the number of its first address
     */
    public OptionalLong find(long fromNumber, LongPredicate taken) {
        long number = fromNumber;
        while (number + size <= pool.size()) {
            long address = pool.addressAt(number);
            long fitting = address + Math.floorMod(offset - address, (long) alignment);
            long start = fitting == address ? number : pool.numberFrom(fitting);
            if (start + size > pool.size()) {
                break;
            }
            if (start != number) {
                number = start; // behind a gap of the pool it may not fit again
                continue;
            }
            int usable = usable(number, address, taken);
            if (usable == size) {
                return OptionalLong.of(number);
            }
            number += Math.max(1, usable); // behind a gap, or behind the one that is taken
        }
        return OptionalLong.empty();
    }

    /** How many of the addresses from here on are in a row and free. */
    private int usable(long number, long address, LongPredicate taken) {
        for (int i = 0; i < size; i++) {
            if (pool.addressAt(number + i) != address + i || taken.test(address + i)) {
                return i;
            }
        }
        return size;
    }
}
