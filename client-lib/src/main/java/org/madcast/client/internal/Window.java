package org.madcast.client.internal;

/**
 * How many fragments may be in flight: as many as the smallest receive buffer of all ranks holds
 * when its process does not run for a moment, so that no receiver loses what the network delivered.
 */
final class Window {

    /** What the kernel charges for a datagram of an Ethernet frame beyond its bytes. */
    private static final int KERNEL_OVERHEAD_BYTES = 832;

    private static final int SMALLEST_CHOSEN = 32;
    private static final int SMALLEST = 2;
    private static final int LARGEST = 2048;

    private Window() {}

    /**
     * The window, a power of two.
     *
     * @param bufferBytes the smallest receive buffer, as the kernel counts
     * @param wantedBytes what the user asked for; 0 when nothing
     */
    static int fragments(long bufferBytes, int datagramBytes, long wantedBytes) {
        long fits = bufferBytes / (datagramBytes + KERNEL_OVERHEAD_BYTES);
        long wanted = wantedBytes == 0 ? LARGEST : Math.min(fits, wantedBytes / datagramBytes);
        int least = wantedBytes == 0 ? SMALLEST_CHOSEN : SMALLEST;
        long bounded = Math.clamp(Math.min(fits, wanted), least, LARGEST);
        return (int) Long.highestOneBit(bounded);
    }
}
