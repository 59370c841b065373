package org.madcast.client;

/**
 * A rank died or left, so this and every later collective call of the communicator ends. {@link
 * Survival} says how the others go on.
 */
public final class RankLostException extends MadcastException {

    private static final long serialVersionUID = 1L;

    private final int rank;

    /** Names the rank that is gone. */
    public RankLostException(int rank, String message) {
        super(message, null);
        this.rank = rank;
    }

    /** The rank that is gone. */
    public int rank() {
        return rank;
    }
}
