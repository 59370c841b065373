package org.madcast.madcap;

import java.util.BitSet;

/**
 * Which zones lie inside which (RFC 2907, section 3.2): a matrix of bits without its diagonal, the
 * inner zone as the row, the outer as the column, each row padded with zeros to whole bytes.
 *
 * <p>Example, three zones, 0 inside 1 and 2, 1 inside 2: rows {@code *11}, {@code 0*1}, {@code 00*}
 * become {@code 11}, {@code 01}, {@code 00}, which are the bytes c0 40 00.
 *
 * @param zoneCount 0 to 255
 * @param rows {@code zoneCount} rows of ceil((zoneCount - 1) / 8) bytes; padding bits that are set
 *     are cleared
 */
public record NestingMatrix(int zoneCount, Octets rows) {

    /** Tells the relation of two different zones. */
    public interface Relation {
        /** Whether the one is known to lie inside of the other. */
        boolean nests(int inner, int outer);
    }

    public NestingMatrix {
        Unsigned.u8("zones of a nesting matrix", zoneCount);
        int expected = zoneCount * rowBytes(zoneCount);
        if (rows.lengthBytes() != expected) {
            throw new IllegalArgumentException(
                    zoneCount + " zones take " + expected + " bytes, not " + rows.lengthBytes());
        }
        rows = withoutPadding(zoneCount, rows);
    }

    /** The matrix of a relation, which is asked once for each ordered pair of different zones. */
    public static NestingMatrix of(int zoneCount, Relation relation) {
        int rowBytes = rowBytes(Unsigned.u8("zones of a nesting matrix", zoneCount));
        byte[] bytes = new byte[zoneCount * rowBytes];
        for (int inner = 0; inner < zoneCount; inner++) {
            for (int outer = 0; outer < zoneCount; outer++) {
                if (inner != outer && relation.nests(inner, outer)) {
                    int bit = column(inner, outer);
                    bytes[inner * rowBytes + bit / 8] |= (byte) (0x80 >> bit % 8);
                }
            }
        }
        return new NestingMatrix(zoneCount, Octets.of(bytes));
    }

    /** Whether one zone is known to lie inside of another; each lies inside of itself. */
    public boolean nests(int inner, int outer) {
        Unsigned.within("inner zone", inner, 0, zoneCount - 1L);
        Unsigned.within("outer zone", outer, 0, zoneCount - 1L);
        if (inner == outer) {
            return true;
        }
        int bit = column(inner, outer);
        return (rows.at(inner * rowBytes(zoneCount) + bit / 8) & 0x80 >> bit % 8) != 0;
    }

    /** This relation and what follows from it: inside of the inside is inside. */
    public NestingMatrix closed() {
        BitSet[] outers = new BitSet[zoneCount];
        for (int inner = 0; inner < zoneCount; inner++) {
            outers[inner] = new BitSet();
            for (int outer = 0; outer < zoneCount; outer++) {
                outers[inner].set(outer, nests(inner, outer));
            }
        }
        for (int via = 0; via < zoneCount; via++) {
            for (int inner = 0; inner < zoneCount; inner++) {
                if (outers[inner].get(via)) {
                    outers[inner].or(outers[via]);
                }
            }
        }
        return of(zoneCount, (inner, outer) -> outers[inner].get(outer));
    }

    /** Bytes in a row. */
    private static int rowBytes(int zoneCount) {
        return zoneCount == 0 ? 0 : (zoneCount - 1 + 7) / 8;
    }

    /** The place of an outer zone in the row of an inner one, which itself has none. */
    private static int column(int inner, int outer) {
        return outer < inner ? outer : outer - 1;
    }

    private static Octets withoutPadding(int zoneCount, Octets rows) {
        int padding = rowBytes(zoneCount) * 8 - (zoneCount - 1);
        if (zoneCount < 2 || padding == 0) {
            return rows;
        }
        byte[] bytes = rows.toByteArray();
        int rowBytes = rowBytes(zoneCount);
        for (int row = 1; row <= zoneCount; row++) {
            bytes[row * rowBytes - 1] &= (byte) (0xff << padding);
        }
        return Octets.of(bytes);
    }
}
