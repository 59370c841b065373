package org.madcast.allocator.lease;

/** Something that happened to a lease, told after it was committed. */
public sealed interface LeaseEvent {

    /** The scope that it happened in; of a refusal, the name asked for if it exists. */
    String scope();

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
     * @param capacity groups in all
     */
    record Counted(String scope, long leased, long quarantined, long capacity)
            implements LeaseEvent {}
}
