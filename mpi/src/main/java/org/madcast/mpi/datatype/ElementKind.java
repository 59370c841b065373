package org.madcast.mpi.datatype;

/**
 * What the elements of a buffer are, as Java has them, with the numbers that mpiJava gives them.
 */
public enum ElementKind {
    /** No type. */
    NULL(0, 0),
    /** Java's byte. */
    BYTE(1, 1),
    /** Java's char. */
    CHAR(2, 2),
    /** Java's short. */
    SHORT(3, 2),
    /** Java's boolean, one byte. */
    BOOLEAN(4, 1),
    /** Java's int. */
    INT(5, 4),
    /** Java's long. */
    LONG(6, 8),
    /** Java's float. */
    FLOAT(7, 4),
    /** Java's double. */
    DOUBLE(8, 8),
    /** Packed data. */
    PACKED(9, 1),
    /** The mark of a lower bound. */
    LB(10, 1),
    /** The mark of an upper bound. */
    UB(11, 1),
    /** Objects; a place in an array counts as one byte. */
    OBJECT(12, 1),
    /** Elements of several kinds, in memory that has no element type of its own. */
    MIXED(1, 1);

    private final int code;
    private final int bytes;

    ElementKind(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** MPJ's and Open MPI's number of the type. */
    public int code() {
        return code;
    }

    /** The length of an element. */
    public int bytes() {
        return bytes;
    }

    /** Whether data of this kind may lie in any bytes. */
    public boolean isRaw() {
        return this == BYTE || this == PACKED || this == MIXED;
    }

    /** Whether it is one of the two marks, which stand for no data. */
    public boolean isMark() {
        return this == LB || this == UB;
    }
}
