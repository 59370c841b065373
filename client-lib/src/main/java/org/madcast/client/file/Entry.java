package org.madcast.client.file;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A file, directory or symbolic link that is to be made.
 *
 * @param kind which of them
 * @param path relative, its names joined by slashes
 * @param sizeBytes of a file; else 0
 * @param modifiedNs when it was modified, nanoseconds since 1970
 * @param mode the nine permission bits
 * @param target where a link leads; else empty
 */
record Entry(Kind kind, String path, long sizeBytes, long modifiedNs, int mode, String target) {

    enum Kind {
        FILE(0),
        DIRECTORY(1),
        LINK(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static Kind of(int code) throws ProtocolException {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new ProtocolException("kind " + code);
        }
    }

    /** What its encoding takes at most, beyond its texts. */
    static final int FIXED_BYTES = 1 + 8 + 8 + 2 + 2 + 2;

    private static final int PERMISSIONS = 0777;

    boolean isFile() {
        return kind == Kind.FILE;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(kind.code);
        out.writeLong(sizeBytes);
        out.writeLong(modifiedNs);
        out.writeShort(mode);
        out.writeUTF(path);
        out.writeUTF(target);
    }

    static Entry read(DataInputStream in) throws IOException {
        Kind kind = Kind.of(in.readUnsignedByte());
        long sizeBytes = in.readLong();
        if (sizeBytes < 0) {
            throw new ProtocolException("a file of " + sizeBytes + " bytes");
        }
        long modifiedNs = in.readLong();
        int mode = in.readUnsignedShort() & PERMISSIONS;
        return new Entry(kind, in.readUTF(), sizeBytes, modifiedNs, mode, in.readUTF());
    }
}
