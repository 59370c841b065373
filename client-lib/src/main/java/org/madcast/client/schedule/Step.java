package org.madcast.client.schedule;

/** What a rank does in a round of a {@link Schedule}. */
public sealed interface Step {

    /** Sends elements to another rank. */
    record Send(int peer, Slice data) implements Step {}

    /** Receives as many elements as the slice has from another rank. */
    record Receive(int peer, Slice into) implements Step {}

    /** Copies elements within this rank. The slices do not overlap. */
    record Copy(Slice from, Slice to) implements Step {}

    /**
     * Combines elements with the operation of the call.
     *
     * @param from the one operand, unchanged
     * @param into the other operand, and the result
     * @param fromIsLeft whether {@code from} is the left operand: it holds the contributions of
     *     lower ranks
     */
    record Combine(Slice from, Slice into, boolean fromIsLeft) implements Step {}
}
