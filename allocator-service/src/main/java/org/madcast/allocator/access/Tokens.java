package org.madcast.allocator.access;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.store.StoreFailures;
import org.springframework.stereotype.Service;

/**
 * Makes tokens, knows them and revokes them. From any thread.
 *
 * <p>Every request needs one, so they are cached: a token that another replica revoked is good for
 * {@link #REMEMBERED} more, and longer only while the database is away.
 */
@Service
public class Tokens {

    /** How long what was read from the database is used. */
    public static final Duration REMEMBERED = Duration.ofSeconds(5);

    /**
     * How soon it is asked again for a token that it did not have: another replica may make one.
     */
    private static final Duration MISSED = Duration.ofMillis(500);

    /** Too many to find one by trying hashes. */
    private static final int TOKEN_BYTES = 32;

    private static final String PREFIX = "madcast_";

    private final TokenStore store;
    private final Map<String, Caller> configured = new HashMap<>();
    private final Secrets secrets;
    private final AuditLog audit;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Known known;

    Tokens(TokenStore store, Secrets secrets, AccessProperties properties, AuditLog audit) {
        this.audit = audit;
        this.store = store;
        this.secrets = secrets;
        configure(properties.operatorToken(), Role.OPERATOR);
        configure(properties.jobToken(), Role.JOB);
        configure(properties.viewerToken(), Role.VIEWER);
    }

    /** What the database had at a time of {@link System#nanoTime()}, by the tokens' hashes. */
    private record Known(Map<String, Caller> byHash, long readNs) {

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - readNs > age.toNanos();
        }
    }

    /** A token and its properties; the secret is not stored. */
    public record Made(String secret, Token token) {}

    private void configure(@Nullable String secret, Role role) {
        if (secret != null && !secret.isEmpty()) {
            String hash = Secrets.hash(secret);
            configured.put(
                    hash,
                    new Caller("configured-" + role.word(), role, true, Owners.ofToken(hash)));
        }
    }

    /** Whether the settings name an operator's token. */
    boolean hasConfiguredOperator() {
        return configured.values().stream().anyMatch(Caller::mayOperate);
    }

    /** The holder of this token; empty when it is not known. */
    public Optional<Caller> holder(String secret) {
        String hash = Secrets.hash(secret);
        Caller holder = configured.get(hash);
        if (holder == null) {
            holder = read(REMEMBERED).byHash().get(hash);
        }
        if (holder == null) {
            holder = read(MISSED).byHash().get(hash);
        }
        return Optional.ofNullable(holder);
    }

    /** All that were made and not revoked, by name. */
    public List<Token> all() {
        return store.all().stream().map(TokenStore.Hashed::token).toList();
    }

    /**
     * Makes a token.
     *
     * @return the token; empty when there is one of this name
     */
    public Optional<Made> make(String name, Role role, String madeBy) {
        String secret = newSecret();
        Optional<Instant> madeAt = store.add(name, role, Secrets.hash(secret), madeBy);
        known = null;
        madeAt.ifPresent(
                _ -> audit.record(AuditKind.TOKEN_MADE, name, Map.of("role", role.word())));
        return madeAt.map(it -> new Made(secret, new Token(name, role, it, madeBy)));
    }

    /** Makes the operator's token of this hash unless there are tokens. */
    boolean makeFirst(String name, String secret) {
        return store.addFirst(name, Role.OPERATOR, Secrets.hash(secret), "the first start");
    }

    /** Whether there are any in the database. */
    boolean hasAny() {
        return !store.all().isEmpty();
    }

    /** Makes this token invalid; false when no token has this name. */
    public boolean revoke(String name) {
        boolean revoked = store.remove(name);
        known = null;
        if (revoked) {
            audit.record(AuditKind.TOKEN_REVOKED, name, Map.of());
        }
        return revoked;
    }

    /** A new token. */
    String newSecret() {
        return PREFIX + secrets.random(TOKEN_BYTES);
    }

    private Known read(Duration age) {
        Known last = known;
        if (last != null && !last.isOlderThan(age)) {
            return last;
        }
        // Of many that find it old one reads; the others go on with what there is.
        if (last == null) {
            reading.lock();
        } else if (!reading.tryLock()) {
            return last;
        }
        try {
            Known meanwhile = known;
            return meanwhile != null && !meanwhile.isOlderThan(age) ? meanwhile : readNow(last);
        } finally {
            reading.unlock();
        }
    }

    private Known readNow(@Nullable Known last) {
        try {
            Map<String, Caller> byHash = new HashMap<>();
            for (TokenStore.Hashed row : store.all()) {
                Token token = row.token();
                byHash.put(
                        row.hash(),
                        new Caller(token.name(), token.role(), true, Owners.ofToken(row.hash())));
            }
            Known fresh = new Known(byHash, System.nanoTime());
            known = fresh;
            return fresh;
        } catch (RuntimeException failed) {
            if (last == null || StoreFailures.trouble(failed) == null) {
                throw failed;
            }
            Known old = new Known(last.byHash(), System.nanoTime());
            known = old;
            return old;
        }
    }
}
