package org.madcast.client;

/**
 * The communicator was revoked, so this and every later call ends, but for those of {@link
 * Survival} (MPI_ERR_REVOKED of ULFM).
 */
public final class RevokedException extends MadcastException {

    private static final long serialVersionUID = 1L;

    private final int rank;

    /** Names the rank that has revoked the communicator. */
    public RevokedException(int rank, String message) {
        super(message, null);
        this.rank = rank;
    }

    /** The rank that has revoked the communicator first, as far as this rank has heard. */
    public int rank() {
        return rank;
    }
}
