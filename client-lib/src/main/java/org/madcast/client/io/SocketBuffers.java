package org.madcast.client.io;

/**
 * What the kernel is asked to keep for each socket, in bytes.
 *
 * @param receiveBytes of what has arrived, while this process does not run
 * @param sendBytes of what was sent: few, so that a repair does not queue behind much data in the
 *     root's own kernel; many for a sender that waits for a processor again and again
 */
public record SocketBuffers(int receiveBytes, int sendBytes) {}
