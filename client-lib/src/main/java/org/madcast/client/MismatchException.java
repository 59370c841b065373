package org.madcast.client;

/**
 * Two ranks made different collective calls, or the same one with different roots, lengths or
 * algorithms.
 */
public final class MismatchException extends MadcastException {

    private static final long serialVersionUID = 1L;

    /** With both ranks and both values. */
    public MismatchException(String message) {
        super(message, null);
    }
}
