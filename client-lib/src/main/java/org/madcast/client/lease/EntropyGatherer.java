package org.madcast.client.lease;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects 64 bits that differ between processes and between calls (seed 000, section 3.3). Where
 * Siebert asked MPI for the processor's name and the time, the system for a temporary name, and
 * {@code /dev/urandom}, this asks for the host's name and the process, the clocks, a count, the
 * network cards' addresses, and the non-blocking generator of the system. Everything is hashed
 * together, so one good source is enough. Safe for every thread.
 */
final class EntropyGatherer {

    private static final AtomicLong CALLS = new AtomicLong();
    private static final int RANDOM_BYTES = 16;

    private final List<Supplier<byte[]>> sources;

    /** With the sources of this system. */
    EntropyGatherer() {
        this(
                List.of(
                        EntropyGatherer::process,
                        EntropyGatherer::clocks,
                        EntropyGatherer::call,
                        EntropyGatherer::cards,
                        EntropyGatherer::systemRandom));
    }

    /** With other sources. */
    EntropyGatherer(List<Supplier<byte[]>> sources) {
        this.sources = List.copyOf(sources);
    }

    /** Asks every source and compresses the answers. Never blocks for entropy. */
    long gather() {
        MessageDigest digest = sha256();
        for (Supplier<byte[]> source : sources) {
            byte[] answer = source.get();
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, answer.length));
            digest.update(answer);
        }
        return ByteBuffer.wrap(digest.digest()).getLong();
    }

    private static byte[] process() {
        return ProcessIdentity.ofThisProcess().toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] clocks() {
        Instant now = Instant.now();
        return bytes(now.getEpochSecond(), now.getNano(), System.nanoTime());
    }

    /** Like a temporary name: different at each call within this process. */
    private static byte[] call() {
        return bytes(CALLS.incrementAndGet(), Thread.currentThread().threadId());
    }

    private static byte[] cards() {
        ByteBuffer addresses = ByteBuffer.allocate(64 * Long.BYTES);
        try {
            NetworkInterface.networkInterfaces()
                    .map(EntropyGatherer::hardwareAddress)
                    .filter(address -> address != null && address.length <= Long.BYTES)
                    .limit(64)
                    .forEach(addresses::put);
        } catch (SocketException noInterfaces) {
            return new byte[0];
        }
        return addresses.array();
    }

    private static byte @Nullable [] hardwareAddress(NetworkInterface card) {
        try {
            return card.getHardwareAddress();
        } catch (IOException gone) {
            return null;
        }
    }

    private static byte[] systemRandom() {
        byte[] bytes = new byte[RANDOM_BYTES];
        nonBlocking().nextBytes(bytes);
        return bytes;
    }

    /** Reads /dev/urandom where there is one; /dev/random may block on a host without input. */
    private static SecureRandom nonBlocking() {
        try {
            return SecureRandom.getInstance("NativePRNGNonBlocking");
        } catch (NoSuchAlgorithmException noDevice) {
            return new SecureRandom();
        }
    }

    private static byte[] bytes(long... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Long.BYTES);
        for (long value : values) {
            buffer.putLong(value);
        }
        return buffer.array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
