package org.madcast.client.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the sender and the receivers exchange about the files of one batch. */
final class Plan {

    /**
     * What is sent of one file.
     *
     * @param sent whether it is in the stream
     * @param offset from which byte on
     * @param digest the source's, when some receiver named one
     */
    record Item(boolean sent, long offset, @Nullable Digest digest) {

        long bytes(Entry entry) {
            return sent ? entry.sizeBytes() - offset : 0;
        }
    }

    private static final int SENT = 1;
    private static final int WITH_DIGEST = 2;

    private Plan() {}

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writing.to(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** The sender's entries; none says that there are no more. */
    static byte[] encodeEntries(List<Entry> entries) {
        return bytes(out -> {
            out.writeInt(entries.size());
            for (Entry entry : entries) {
                entry.write(out);
            }
        });
    }

    static List<Entry> decodeEntries(byte[] message) throws ProtocolException {
        return decode(
                message,
                in -> {
                    int count = in.readInt();
                    List<Entry> entries = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        entries.add(Entry.read(in));
                    }
                    return entries;
                });
    }

    /** A receiver's needs; when it needs all of everything, that takes one byte. */
    static byte[] encodeNeeds(List<Need> needs) {
        boolean all = needs.stream().allMatch(Need.ALL::equals);
        boolean nothing = needs.stream().allMatch(Need.KEPT::equals);
        return bytes(out -> {
            out.writeByte(nothing ? 2 : all ? 1 : 0);
            if (!all && !nothing) {
                for (Need need : needs) {
                    need.write(out);
                }
            }
        });
    }

    static List<Need> decodeNeeds(byte[] message, int count) throws ProtocolException {
        return decode(
                message,
                in -> {
                    int form = in.readUnsignedByte();
                    List<Need> needs = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        needs.add(form == 2 ? Need.KEPT : form == 1 ? Need.ALL : Need.read(in));
                    }
                    return needs;
                });
    }

    /** What the sender will send. */
    static byte[] encodeItems(List<Item> items) {
        return bytes(out -> {
            for (Item item : items) {
                Digest digest = item.digest();
                out.writeByte((item.sent() ? SENT : 0) | (digest != null ? WITH_DIGEST : 0));
                if (item.sent()) {
                    out.writeLong(item.offset());
                }
                if (digest != null) {
                    digest.write(out);
                }
            }
        });
    }

    static List<Item> decodeItems(byte[] message, int count) throws ProtocolException {
        return decode(
                message,
                in -> {
                    List<Item> items = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        int flags = in.readUnsignedByte();
                        boolean sent = (flags & SENT) != 0;
                        long offset = sent ? in.readLong() : 0;
                        Digest digest = (flags & WITH_DIGEST) != 0 ? Digest.read(in) : null;
                        items.add(new Item(sent, offset, digest));
                    }
                    return items;
                });
    }

    private interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    private static <T> T decode(byte[] message, Reading<T> reading) throws ProtocolException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(message))) {
            return reading.from(in);
        } catch (ProtocolException refused) {
            throw refused;
        } catch (IOException garbled) {
            throw new ProtocolException("a message of " + message.length + " bytes is garbled");
        }
    }
}
