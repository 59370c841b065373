package org.madcast.client;

/** Two ranks called the same broadcast with different sizes, roots or algorithms. */
public final class MismatchException extends MadcastException {

    private static final long serialVersionUID = 1L;

    /** With both ranks and both values. */
    public MismatchException(String message) {
        super(message, null);
    }
}
