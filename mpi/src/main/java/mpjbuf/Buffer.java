package mpjbuf;

import java.util.Arrays;

/** What mpiJava's Pack fills and Unpack reads: bytes that grow as needed. */
public class Buffer {

    private byte[] bytes;
    private int size;

    /** A buffer with this much room, in bytes; it grows. */
    public Buffer(int capacity) {
        bytes = new byte[capacity];
    }

    /** How many bytes it has. */
    public int getSize() {
        return size;
    }

    /** How many bytes it has room for before it grows. */
    public int getCapacity() {
        return bytes.length;
    }

    /** Removes all bytes. */
    public void clear() {
        size = 0;
    }

    /** A copy of its bytes. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /**
     * Puts bytes at a position; what was behind them stays.
     *
     * @throws IndexOutOfBoundsException when the position is negative
     */
    public void put(int position, byte[] data) {
        int end = Math.addExact(position, data.length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(data, 0, bytes, position, data.length);
        size = Math.max(size, end);
    }
}
