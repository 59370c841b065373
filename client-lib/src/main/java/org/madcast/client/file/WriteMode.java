package org.madcast.client.file;

/** What happens when a destination file exists already (seed 002, section 2.3). */
public enum WriteMode {
    /** It stays as it is. */
    LEAVE(0),
    /** It is replaced when the source was modified later. */
    NEWER(1),
    /** It is replaced. */
    OVERWRITE(2);

    private final int code;

    WriteMode(int code) {
        this.code = code;
    }

    /** The mode that the sender announces to the receivers. */
    int code() {
        return code;
    }

    static WriteMode of(int code) throws ProtocolException {
        for (WriteMode mode : values()) {
            if (mode.code == code) {
                return mode;
            }
        }
        throw new ProtocolException("mode " + code);
    }
}
