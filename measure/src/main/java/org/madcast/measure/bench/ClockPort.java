package org.madcast.measure.bench;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A rank's socket for what clocks need: it answers questions with the time at which they came, and
 * keeps when other ranks said that they were done. A thread of its own listens; any thread may
 * call.
 *
 * <p>A datagram has the job's number, what it is (a question, an answer, or that a rank is done),
 * its number, and a time.
 */
final class ClockPort implements AutoCloseable {

    private static final int BYTES = 4 * Long.BYTES;
    private static final long ASK = 1;
    private static final long ANSWER = 2;
    private static final long DONE = 3;

    /** Seed 004, section IV.2.4.1: the least round trip is found when so many were not shorter. */
    private static final int NOT_SHORTER = 100;

    private static final int MOST_QUESTIONS = 4000;
    private static final int MOST_LOST = 50;
    private static final int PATIENCE_MS = 200;
    private static final long DONE_PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * What was found of another rank's clock.
     *
     * @param differenceNs its clock minus ours, as the shortest round trip has it
     * @param roundTripNs the shortest round trip
     * @param usualNs the median of the round trips
     * @param atNs when the shortest one was, on our clock
     */
    record Difference(long differenceNs, long roundTripNs, long usualNs, long atNs) {}

    private final DatagramSocket socket;
    private final long job;
    private final Map<Long, Long> doneNs = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition done = lock.newCondition();

    /** Listens for the ranks of this job. */
    ClockPort(String job) throws SocketException {
        this.job = job.hashCode();
        this.socket = new DatagramSocket();
        Thread _ = Thread.ofPlatform().daemon().name("clock").start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[BYTES], BYTES);
        ByteBuffer fields = ByteBuffer.wrap(packet.getData());
        try {
            while (true) {
                packet.setLength(BYTES);
                socket.receive(packet);
                long nowNs = System.nanoTime();
                if (packet.getLength() != BYTES || fields.getLong(0) != job) {
                    continue;
                }
                if (fields.getLong(8) == ASK) {
                    fields.putLong(8, ANSWER).putLong(24, nowNs);
                    socket.send(packet);
                } else if (fields.getLong(8) == DONE) {
                    note(fields.getLong(16), nowNs);
                }
            }
        } catch (IOException _) {
            // Closed: the measurement is over.
        }
    }

    private void note(long number, long nowNs) {
        lock.lock();
        try {
            doneNs.put(number, nowNs);
            done.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** When the rank that this number was given to was done; -1 if it does not say so. */
    long awaitDone(long number) {
        lock.lock();
        try {
            long leftNs = DONE_PATIENCE_NS;
            while (!doneNs.containsKey(number) && leftNs > 0) {
                leftNs = done.awaitNanos(leftNs);
            }
            @Nullable Long atNs = doneNs.remove(number);
            return atNs == null ? -1 : atNs;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return -1;
        } finally {
            lock.unlock();
        }
    }

    /** Tells another rank's port that this rank is done. */
    void sayDone(InetSocketAddress to, long number) throws IOException {
        byte[] bytes = message(DONE, number).array();
        socket.send(new DatagramPacket(bytes, BYTES, to));
    }

    private ByteBuffer message(long kind, long number) {
        return ByteBuffer.allocate(BYTES).putLong(job).putLong(kind).putLong(number);
    }

    /**
     * Compares this rank's clock with another's: asks until the shortest round trip did not become
     * shorter for a while. Half of it is how late the answer's time is taken to be, so the
     * difference is off by half of what the ways there and back differ by.
     *
     * @throws IOException when too many datagrams are lost
     */
    Difference compare(String host, int port) throws IOException {
        long[] tripsNs = new long[MOST_QUESTIONS];
        Difference best = new Difference(0, Long.MAX_VALUE, 0, 0);
        int asked = 0;
        int lost = 0;
        try (DatagramSocket own = new DatagramSocket()) {
            // Not connected: a host of several addresses may answer from another one.
            InetSocketAddress to = new InetSocketAddress(InetAddress.getByName(host), port);
            own.setSoTimeout(PATIENCE_MS);
            DatagramPacket answer = new DatagramPacket(new byte[BYTES], BYTES);
            for (int since = 0; since < NOT_SHORTER && asked < MOST_QUESTIONS; ) {
                byte[] bytes = message(ASK, asked).array();
                long sentNs = System.nanoTime();
                own.send(new DatagramPacket(bytes, BYTES, to));
                try {
                    do {
                        own.receive(answer);
                    } while (!isAnswer(answer, asked));
                } catch (SocketTimeoutException e) {
                    if (++lost > MOST_LOST) {
                        throw new IOException("no answers from the clock of " + host, e);
                    }
                    continue;
                }
                long tripNs = System.nanoTime() - sentNs;
                tripsNs[asked++] = tripNs;
                since++;
                if (tripNs < best.roundTripNs()) {
                    long theirNs = ByteBuffer.wrap(answer.getData()).getLong(24);
                    long middleNs = sentNs + tripNs / 2;
                    best = new Difference(theirNs - middleNs, tripNs, 0, middleNs);
                    since = 0;
                }
            }
        }
        Arrays.sort(tripsNs, 0, asked);
        return new Difference(
                best.differenceNs(), best.roundTripNs(), tripsNs[asked / 2], best.atNs());
    }

    private boolean isAnswer(DatagramPacket packet, long number) {
        ByteBuffer fields = ByteBuffer.wrap(packet.getData());
        return packet.getLength() == BYTES
                && fields.getLong(0) == job
                && fields.getLong(8) == ANSWER
                && fields.getLong(16) == number;
    }

    @Override
    public void close() {
        socket.close();
    }
}
