package org.madcast.allocator.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * When and from where each token was last shown to this replica, and how many requests it may still
 * make. From any thread; written to the database now and then.
 */
@Component
class TokenUses {

    private static final long RECENTLY_NS = Duration.ofHours(1).toNanos();

    private final TokenStore store;
    private final ConcurrentHashMap<String, Use> uses = new ConcurrentHashMap<>();

    TokenUses(TokenStore store) {
        this.store = store;
    }

    /**
     * Of one token; its fields are read and written without a lock, since any recent value does.
     */
    private static final class Use {

        private final @Nullable Bucket requests;
        private volatile @Nullable String from;
        private volatile long atNs;
        private volatile boolean unwritten;

        Use(@Nullable Integer perSecond) {
            this.requests =
                    perSecond == null ? null : new Bucket(perSecond, perSecond, System::nanoTime);
        }
    }

    /**
     * Notes that a token was shown.
     *
     * @return false when it may make no more requests for now
     */
    boolean note(String name, @Nullable Integer perSecond, String from) {
        Use use = uses.get(name);
        if (use == null) {
            use = uses.computeIfAbsent(name, _ -> new Use(perSecond));
        }
        use.from = from;
        use.atNs = System.nanoTime();
        use.unwritten = true;
        return use.requests == null || use.requests.take();
    }

    /** Whether this address was the last one to show it, not long ago. */
    boolean wasLastFrom(String name, String address) {
        Use use = uses.get(name);
        return use != null
                && address.equals(use.from)
                && System.nanoTime() - use.atNs < RECENTLY_NS;
    }

    /** Of a name that is given to another token. */
    void forget(String name) {
        uses.remove(name);
    }

    @Scheduled(fixedDelayString = "${madcast.access.use-interval:10s}")
    void write() {
        List<TokenStore.Use> written = new ArrayList<>();
        uses.forEach((name, use) -> {
            @Nullable String from = use.from;
            if (use.unwritten && from != null) {
                use.unwritten = false;
                written.add(
                        new TokenStore.Use(
                                name, from, Duration.ofNanos(System.nanoTime() - use.atNs)));
            }
        });
        if (!written.isEmpty()) {
            store.used(written);
        }
    }
}
