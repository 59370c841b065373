package org.madcast.client;

/** What the elements of a reduction are. Values lie in the byte order of the machine. */
public enum ElementType {
    /** 8 bits with a sign. */
    BYTE(1),
    /** 16 bits with a sign. */
    SHORT(2),
    /** 16 bits without a sign. */
    CHAR(2),
    /** 32 bits with a sign. */
    INT(4),
    /** 64 bits with a sign. */
    LONG(8),
    /** 32 bits, IEEE 754. */
    FLOAT(4),
    /** 64 bits, IEEE 754. */
    DOUBLE(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** The length of an element. */
    public int bytes() {
        return bytes;
    }
}
