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
import org.madcast.allocator.store.StoreClock;
import org.madcast.allocator.store.StoreFailures;
import org.madcast.allocator.web.Requester;
import org.springframework.stereotype.Service;

/**
 * Makes tokens, knows them, replaces and revokes them. From any thread.
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

    private final TokenStore store;
    private final Map<String, Holder> configured = new HashMap<>();
    private final StoreClock clock;
    private final Guesses guesses;
    private final TokenUses uses;
    private final AuditLog audit;
    private final People people;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Known known;

    Tokens(
            TokenStore store,
            StoreClock clock,
            Guesses guesses,
            TokenUses uses,
            AccessProperties properties,
            AuditLog audit,
            People people) {
        this.audit = audit;
        this.people = people;
        this.store = store;
        this.clock = clock;
        this.guesses = guesses;
        this.uses = uses;
        configure(properties.operatorToken(), Role.OPERATOR);
        configure(properties.jobToken(), Role.JOB);
        configure(properties.viewerToken(), Role.VIEWER);
    }

    /**
     * Who shows a token.
     *
     * @param token the token's properties; null of those in the settings, which have no limits
     * @param until when it ends, or the predecessor does; null if it does not
     */
    private record Holder(Caller caller, @Nullable Token token, @Nullable Instant until) {

        @Nullable Integer requestsPerSecond() {
            return token == null ? null : token.terms().requestsPerSecond();
        }
    }

    /** What came of showing a token. */
    public sealed interface Shown {
        /** It is known. */
        record Known(Caller holder) implements Shown {}

        /** It is not. */
        record Unknown() implements Shown {}

        /** It was, until then. */
        record Expired(Instant at) implements Shown {}

        /** The address has shown too many unknown ones: this one was not looked up. */
        record Guessed() implements Shown {}

        /** Who could tell does not answer. */
        record Undecided(String why) implements Shown {}

        /** It is known, and makes more requests in a second than it may. */
        record TooOften(int perSecond) implements Shown {}
    }

    /** What the database had at a time of {@link System#nanoTime()}, by the tokens' hashes. */
    private record Known(Map<String, Holder> byHash, long readNs) {

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
                    new Holder(
                            new Caller(
                                    "configured-" + role.word(),
                                    role,
                                    true,
                                    Owners.ofToken(hash),
                                    null),
                            null,
                            null));
        }
    }

    /** Whether the settings name an operator's token. */
    boolean hasConfiguredOperator() {
        return configured.values().stream().anyMatch(it -> it.caller().mayOperate());
    }

    /**
     * Who shows this token. The one place where a token is let in or not.
     *
     * @param from the address that shows it
     */
    public Shown show(String secret, String from) {
        String hash = Secrets.hash(secret);
        boolean elsewhere = people.mayKnow(secret);
        Holder holder = elsewhere ? null : find(hash);
        if (guesses.areTooMany(from)
                && !guesses.isRepeated(from, hash)
                && !(holder != null && uses.wasLastFrom(holder.caller().name(), from))) {
            guesses.slowedDown(from);
            return new Shown.Guessed();
        }
        Shown person = elsewhere ? people.show(secret) : new Shown.Unknown();
        if (!(person instanceof Shown.Unknown)) {
            return person;
        }
        if (holder == null) {
            guesses.wrong(from, hash);
            return new Shown.Unknown();
        }
        if (holder.until() != null && !clock.now().isBefore(holder.until())) {
            return new Shown.Expired(holder.until());
        }
        Integer perSecond = holder.requestsPerSecond();
        boolean may = uses.note(holder.caller().name(), perSecond, from);
        return may || perSecond == null
                ? new Shown.Known(holder.caller())
                : new Shown.TooOften(perSecond);
    }

    private @Nullable Holder find(String hash) {
        Holder holder = configured.get(hash);
        if (holder == null) {
            holder = read(REMEMBERED).byHash().get(hash);
        }
        return holder == null ? read(MISSED).byHash().get(hash) : holder;
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
    public Optional<Made> make(String name, Role role, String madeBy, Token.Terms terms) {
        String secret = newSecret();
        Optional<Token> made = store.add(name, role, Secrets.hash(secret), madeBy, terms);
        changed(name);
        made.ifPresent(_ -> audit.record(AuditKind.TOKEN_MADE, name, Map.of("role", role.word())));
        return made.map(it -> new Made(secret, it));
    }

    /**
     * Makes a successor of a token, with the same name, role and limits, which the same things
     * belong to.
     *
     * @param overlap how long its predecessor is good beside it
     * @param expiresAt when the successor ends; null: it lasts as long as its predecessor did
     * @return the successor; empty when there is no token of this name
     */
    public Optional<Made> rotate(String name, Duration overlap, @Nullable Instant expiresAt) {
        String secret = newSecret();
        Optional<Token> made = store.replace(name, Secrets.hash(secret), overlap, expiresAt);
        changed(name);
        made.ifPresent(_ -> audit.record(AuditKind.TOKEN_REPLACED, name, Map.of()));
        return made.map(it -> new Made(secret, it));
    }

    private void changed(String name) {
        known = null;
        uses.forget(name);
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
        changed(name);
        if (revoked) {
            audit.record(AuditKind.TOKEN_REVOKED, name, Map.of());
        }
        return revoked;
    }

    /** A new token. */
    String newSecret() {
        return store.newSecret();
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

    private static Caller caller(TokenStore.Hashed row) {
        Token token = row.token();
        Integer mostGroups = token.terms().mostGroups();
        return new Caller(
                token.name(),
                token.role(),
                true,
                row.owner(),
                mostGroups == null ? null : new Requester.GroupLimit(row.owner(), mostGroups));
    }

    private Known readNow(@Nullable Known last) {
        try {
            Map<String, Holder> byHash = new HashMap<>();
            for (TokenStore.Hashed row : store.all()) {
                Token token = row.token();
                Caller caller = caller(row);
                byHash.put(row.hash(), new Holder(caller, token, token.terms().expiresAt()));
                if (row.previousHash() != null) {
                    byHash.put(
                            row.previousHash(),
                            new Holder(caller, token, token.state().predecessorUntil()));
                }
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
