package org.madcast.client.file;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What one rank needs of one file.
 *
 * @param state whether it needs it at all
 * @param offset from which byte on, when it is {@link State#MISSING}
 * @param digest of what it has, when it is a {@link State#CANDIDATE}
 */
record Need(State state, long offset, @Nullable Digest digest) {

    enum State {
        /** Nothing is needed. */
        KEPT(0),
        /** The bytes from the offset on are. */
        MISSING(1),
        /** Nothing is if the digest is the source's, else everything. */
        CANDIDATE(2);

        private final int code;

        State(int code) {
            this.code = code;
        }

        private static State of(int code) throws ProtocolException {
            for (State state : values()) {
                if (state.code == code) {
                    return state;
                }
            }
            throw new ProtocolException("need " + code);
        }
    }

    static final Need KEPT = new Need(State.KEPT, 0, null);
    static final Need ALL = new Need(State.MISSING, 0, null);

    static Need from(long offset) {
        return offset == 0 ? ALL : new Need(State.MISSING, offset, null);
    }

    static Need unless(Digest digest) {
        return new Need(State.CANDIDATE, 0, digest);
    }

    /** Settles a candidate against the digest of the source. */
    Need settled(@Nullable Digest source) {
        if (state != State.CANDIDATE) {
            return this;
        }
        return source != null && source.equals(digest) ? KEPT : ALL;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(state.code);
        if (state == State.MISSING) {
            out.writeLong(offset);
        } else if (digest != null) {
            digest.write(out);
        }
    }

    static Need read(DataInputStream in) throws IOException {
        return switch (State.of(in.readUnsignedByte())) {
            case KEPT -> KEPT;
            case MISSING -> from(checked(in.readLong()));
            case CANDIDATE -> unless(Digest.read(in));
        };
    }

    private static long checked(long offset) throws ProtocolException {
        if (offset < 0) {
            throw new ProtocolException("offset " + offset);
        }
        return offset;
    }
}
