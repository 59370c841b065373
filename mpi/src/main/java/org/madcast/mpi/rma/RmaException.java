package org.madcast.mpi.rma;

/** What is wrong with a one-sided call. */
public final class RmaException extends RuntimeException {

    @java.io.Serial private static final long serialVersionUID = 1L;

    /** What kind of mistake it is. */
    public enum Kind {
        /** The target's window does not have this place. */
        RANGE(0),
        /** The call is not allowed between these synchronisations. */
        SYNC(1),
        /** Something else failed at the target. */
        OTHER(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(long number) {
            return number == RANGE.code ? RANGE : number == SYNC.code ? SYNC : OTHER;
        }
    }

    private final Kind kind;

    /** A mistake, in a sentence. */
    public RmaException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What kind of mistake it is. */
    public Kind kind() {
        return kind;
    }
}
