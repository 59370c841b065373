package org.madcast.allocator.lease;

/**
 * Something that happened to a lease. It may be published within a transaction, which may still be
 * rolled back: listeners that count wait for the commit.
 */
public sealed interface LeaseEvent {

    /** Of a refusal that did not look whether the scope exists: users must make no labels. */
    String UNKNOWN = "unknown";

    /**
     * The scope that it happened in; of a refusal, the name asked for if that is known to exist.
     */
    String scope();

    /** The event of a grant's outcome. */
    static LeaseEvent of(String scope, GrantOutcome outcome) {
        return switch (outcome) {
            case GrantOutcome.Granted granted -> new Granted(scope);
            case GrantOutcome.NoSuchScope unknown -> new Refused(UNKNOWN, unknown.reason());
            case GrantOutcome.KeyReused reused -> new Refused(UNKNOWN, reused.reason());
            case GrantOutcome.Refused refused -> new Refused(scope, refused.reason());
        };
    }

    /** A lease was granted. */
    record Granted(String scope) implements LeaseEvent {}

    /**
     * A lease was refused.
     *
     * @param reason the refusal's type in lower case
     */
    record Refused(String scope, String reason) implements LeaseEvent {}

    /** A lease was renewed. */
    record Renewed(String scope) implements LeaseEvent {}

    /** A lease was given back. */
    record Released(String scope) implements LeaseEvent {}

    /**
     * The scope was counted.
     *
     * @param leased groups of active leases
     * @param quarantined groups that rest
     * @param reserved other groups that are kept for leases that start later
     * @param capacity groups in all
     */
    record Counted(String scope, long leased, long quarantined, long reserved, long capacity)
            implements LeaseEvent {}
}
