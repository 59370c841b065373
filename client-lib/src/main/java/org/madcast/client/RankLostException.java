package org.madcast.client;

/**
 * A rank died or left, so this and every later collective call of the communicator ends. {@link
 * Survival} says how the others go on.
 */
public final class RankLostException extends MadcastException {

    private static final long serialVersionUID = 1L;

    private final int rank;
    private final boolean left;

    /** Names the rank that is gone. */
    public RankLostException(int rank, String message) {
        this(rank, message, false);
    }

    /**
     * Names the rank that is gone.
     *
     * @param left whether it has closed its communicators
     */
    public RankLostException(int rank, String message, boolean left) {
        super(message, null);
        this.rank = rank;
        this.left = left;
    }

    /** The rank that is gone. */
    public int rank() {
        return rank;
    }

    /** Whether it is known to have closed its communicators; false if it died. */
    public boolean hasLeft() {
        return left;
    }
}
