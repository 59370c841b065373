package org.madcast.allocator.access;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.madcast.allocator.store.OnceAMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Slows down those who try tokens: an address may show {@value #AT_ONCE} unknown ones at once, then
 * one a second; of IPv6, whoever has the same /64. The same wrong token again is no other guess: so
 * a job whose token was revoked is not taken for one who guesses. From any thread.
 */
@Component
class Guesses {

    static final int AT_ONCE = 20;

    private static final double PER_SECOND = 1;
    private static final int ADDRESSES_KNOWN = 10_000;
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final Logger LOG = LoggerFactory.getLogger(Guesses.class);

    private final LongSupplier clockNs;
    private final Map<String, Guesser> guessers =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Guesser> eldest) {
                    return size() > ADDRESSES_KNOWN;
                }
            };

    /** Whether no unknown token was shown, so that most requests need no lock. */
    private volatile boolean quiet = true;

    private final OnceAMinute notice = new OnceAMinute();
    private final AtomicLong slowed = new AtomicLong();

    Guesses() {
        this(System::nanoTime);
    }

    Guesses(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** What an address has shown. */
    private static final class Guesser {

        private final Bucket guesses;
        private final Map<String, Boolean> wrong =
                new LinkedHashMap<>() {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                        return size() > AT_ONCE;
                    }
                };

        Guesser(LongSupplier clockNs) {
            this.guesses = new Bucket(PER_SECOND, AT_ONCE, clockNs);
        }
    }

    /** Whether an address has shown too many unknown tokens for another to be looked up. */
    boolean areTooMany(String address) {
        if (quiet) {
            return false;
        }
        synchronized (guessers) {
            Guesser guesser = guessers.get(network(address));
            return guesser != null && !guesser.guesses.hasOne();
        }
    }

    /** Whether an address has shown this unknown token before. */
    boolean isRepeated(String address, String hash) {
        synchronized (guessers) {
            Guesser guesser = guessers.get(network(address));
            return guesser != null && guesser.wrong.containsKey(hash);
        }
    }

    /** That the token of this hash is not known. */
    void wrong(String address, String hash) {
        quiet = false;
        synchronized (guessers) {
            Guesser guesser = guessers.computeIfAbsent(network(address), _ -> new Guesser(clockNs));
            if (guesser.wrong.putIfAbsent(hash, true) == null) {
                boolean _ = guesser.guesses.take();
            }
        }
    }

    /** That a request of an address was not looked at. */
    void slowedDown(String address) {
        slowed.incrementAndGet();
        if (notice.isDue()) {
            LOG.warn(
                    "{} tries tokens: more than {} that are not known, so it may try one a second;"
                            + " {} requests of such addresses were refused unseen since this was"
                            + " last said",
                    address,
                    AT_ONCE,
                    slowed.getAndSet(0));
        }
    }

    private static String network(String address) {
        byte[] bytes = InetAddress.ofLiteral(address).getAddress();
        return bytes.length > Integer.BYTES
                ? Arrays.toString(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES))
                : address;
    }
}
