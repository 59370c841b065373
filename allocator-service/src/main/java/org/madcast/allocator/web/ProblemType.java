package org.madcast.allocator.web;

import java.net.URI;
import java.util.Locale;
import org.madcast.allocator.store.StoreTrouble;
import org.springframework.http.HttpStatus;

/**
 * Every problem that the service answers (RFC 9457). The type, {@code urn:madcast:problem:} and the
 * name in lower case with dashes, never changes its meaning.
 */
public enum ProblemType {
    INVALID_REQUEST(HttpStatus.BAD_REQUEST, "The request is not valid"),
    RANK_OUT_OF_RANGE(HttpStatus.BAD_REQUEST, "The communicator has no such rank"),
    TOKEN_NEEDED(HttpStatus.UNAUTHORIZED, "A token is needed"),
    ROLE_NEEDED(HttpStatus.FORBIDDEN, "The token is not for that"),
    FOREIGN_OWNER(HttpStatus.FORBIDDEN, "That belongs to another token"),
    NO_SUCH_TOKEN(HttpStatus.NOT_FOUND, "There is no such token"),
    NO_SUCH_LEASE(HttpStatus.NOT_FOUND, "There is no such lease, or the secret is wrong"),
    NO_SUCH_RESERVATION(HttpStatus.NOT_FOUND, "There is no such reservation"),
    NO_SUCH_TOPOLOGY(HttpStatus.NOT_FOUND, "There is no such topology"),
    NO_SUCH_SCOPE(HttpStatus.NOT_FOUND, "There is no such scope"),
    NO_SUCH_COMMUNICATOR(HttpStatus.NOT_FOUND, "There is no such communicator"),
    NO_SUCH_MEMBER(HttpStatus.NOT_FOUND, "There is no such member, or the secret is wrong"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is nothing here"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "That cannot be done here"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The service answers in JSON"),
    POOL_EXHAUSTED(HttpStatus.CONFLICT, "Every group of the scope is in use"),
    SCOPE_CLOSED(HttpStatus.CONFLICT, "The scope grants no leases any more"),
    SCOPE_EXISTS(HttpStatus.CONFLICT, "There is a scope of this name already"),
    SCOPE_IN_USE(HttpStatus.CONFLICT, "Groups of the scope are in use"),
    SCOPE_NEEDED(HttpStatus.CONFLICT, "Requests that name no scope need this one"),
    TOKEN_EXISTS(HttpStatus.CONFLICT, "There is a token of this name already"),
    QUOTA_EXCEEDED(HttpStatus.CONFLICT, "The owner would have more groups than it may"),
    LEASE_RESERVED(HttpStatus.CONFLICT, "The lease's group is leased to another job from then on"),
    SIZE_MISMATCH(HttpStatus.CONFLICT, "The communicator has another size"),
    RANK_TAKEN(HttpStatus.CONFLICT, "Another process has this rank"),
    CONFLICT(HttpStatus.CONFLICT, "Something that exists is in the way"),
    LEASE_ENDED(HttpStatus.GONE, "The lease has ended"),
    COMMUNICATOR_ENDED(HttpStatus.GONE, "The communicator has ended"),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The service reads JSON"),
    NOT_POSSIBLE_HERE(HttpStatus.UNPROCESSABLE_CONTENT, "The scope can never grant that"),
    IDEMPOTENCY_KEY_REUSED(
            HttpStatus.UNPROCESSABLE_CONTENT, "The idempotency key came with another request"),
    LEASE_TOO_LONG(HttpStatus.UNPROCESSABLE_CONTENT, "The scope does not lease for so long"),
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "The client makes too many requests"),
    INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "The service failed"),
    TOO_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "The service has too much to read at the moment"),
    PROVIDER_UNAVAILABLE(
            HttpStatus.SERVICE_UNAVAILABLE, "The provider of sign-ins does not answer"),
    STORE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer"),
    STORE_READ_ONLY(HttpStatus.SERVICE_UNAVAILABLE, "The database takes no changes"),
    STORE_FULL(HttpStatus.SERVICE_UNAVAILABLE, "The database has no room left"),
    STORE_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "The database has too much to do");

    private final HttpStatus status;
    private final String title;

    ProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The status that it is answered with. */
    public HttpStatus status() {
        return status;
    }

    String title() {
        return title;
    }

    /** Whether the answer may say by {@code Retry-After} when another try is worth while. */
    boolean passes() {
        return this == POOL_EXHAUSTED
                || status == HttpStatus.TOO_MANY_REQUESTS
                || status == HttpStatus.SERVICE_UNAVAILABLE;
    }

    URI uri() {
        return URI.create("urn:madcast:problem:" + word());
    }

    /** The last part of its URI. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The problem of a request that failed since the database is in trouble. */
    static ProblemType of(StoreTrouble trouble) {
        return switch (trouble) {
            case AWAY -> STORE_UNAVAILABLE;
            case READ_ONLY -> STORE_READ_ONLY;
            case FULL -> STORE_FULL;
            case BUSY -> STORE_BUSY;
        };
    }

    /** The problem for what the framework refuses with this status. */
    static ProblemType of(int status) {
        return switch (status) {
            case 401 -> TOKEN_NEEDED;
            case 403 -> ROLE_NEEDED;
            case 404 -> NOT_FOUND;
            case 405, 501 -> METHOD_NOT_ALLOWED;
            case 406 -> NOT_ACCEPTABLE;
            case 413 -> BODY_TOO_LARGE;
            case 415 -> UNSUPPORTED_MEDIA_TYPE;
            case 429 -> TOO_MANY_REQUESTS;
            case 503 -> STORE_UNAVAILABLE;
            default -> status < 500 ? INVALID_REQUEST : INTERNAL_ERROR;
        };
    }
}
