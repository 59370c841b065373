package org.madcast.client;

/**
 * Two ranks made different collective calls, or the same one with different roots, lengths or
 * algorithms.
 */
public final class MismatchException extends MadcastException {

    private static final long serialVersionUID = 1L;

    private final boolean ofLengths;

    /**
     * With both ranks and both values.
     *
     * @param ofLengths whether the ranks made the same call, with different lengths
     */
    public MismatchException(String message, boolean ofLengths) {
        super(message, null);
        this.ofLengths = ofLengths;
    }

    /**
     * Whether the ranks made the same call from the same root, and are only known to differ in the
     * length of its data.
     */
    public boolean isOfLengths() {
        return ofLengths;
    }
}
