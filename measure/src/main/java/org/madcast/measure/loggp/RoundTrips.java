package org.madcast.measure.loggp;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.madcast.agent.daemon.Echo;

/**
 * Measures the parametrised round trip PRTT(n, d, s) of seed 004, section II.2.4.2: n messages of s
 * bytes with a delay of d between them, answered by one message of s bytes when the last of them
 * has arrived. Messages are UDP datagrams to an {@link Echo}; a loss spoils a sample, which is
 * taken again. For one thread.
 */
final class RoundTrips implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int MOST_LOSSES = 20;

    private final DatagramSocket socket;
    private final InetSocketAddress echo;
    private int sample;
    private int losses;

    RoundTrips(InetSocketAddress echo) throws IOException {
        this.echo = echo;
        this.socket = new DatagramSocket();
        socket.connect(echo);
        socket.setSendBufferSize(4 << 20);
        socket.setReceiveBufferSize(4 << 20);
        socket.setSoTimeout((int) PATIENCE.toMillis());
    }

    /**
     * The median of some samples, in nanoseconds.
     *
     * @throws IOException when too many messages are lost
     */
    double median(int samples, int count, long delayNs, int bytes)
            throws IOException, InterruptedException {
        double[] taken = new double[samples];
        for (int i = 0; i < samples; ) {
            long ns = once(count, delayNs, bytes);
            if (ns >= 0) {
                taken[i++] = ns;
            } else if (++losses > MOST_LOSSES) {
                throw new IOException(
                        "too many datagrams are lost on the way to "
                                + echo.getAddress().getHostAddress()
                                + "; see 'madcast probe'");
            }
        }
        Arrays.sort(taken);
        return taken[samples / 2];
    }

    /** One round trip; negative when a message was lost. */
    private long once(int count, long delayNs, int bytes) throws IOException {
        sample++;
        byte[] message = new byte[Math.max(bytes, Echo.HEADER_BYTES)];
        DatagramPacket packet = new DatagramPacket(message, message.length);
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            if (i > 0 && delayNs > 0) {
                spin(delayNs);
            }
            ByteBuffer.wrap(message).putInt(sample).putInt(i).putInt(count);
            socket.send(packet);
        }
        return answered() ? System.nanoTime() - startNs : -1;
    }

    private static void spin(long delayNs) {
        long endNs = System.nanoTime() + delayNs;
        while (System.nanoTime() - endNs < 0) {
            Thread.onSpinWait();
        }
    }

    private boolean answered() throws IOException {
        byte[] answer = new byte[1 << 16];
        DatagramPacket packet = new DatagramPacket(answer, answer.length);
        try {
            do {
                packet.setLength(answer.length);
                socket.receive(packet);
            } while (ByteBuffer.wrap(answer).getInt() != sample);
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
