package org.madcast.client.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.madcast.client.file.Inventory.Rules;

/**
 * The first word of a broadcast of files.
 *
 * @param broadcast a random number, so that markers of two broadcasts differ
 * @param rules what receivers shall do
 */
record Opening(long broadcast, Rules rules) {

    private static final int MAGIC = 0x4d434642; // "MCFB"
    private static final int VERSION = 2;

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeByte(VERSION);
            out.writeLong(broadcast);
            out.writeByte(rules.mode().code());
            out.writeBoolean(rules.delta());
            out.writeBoolean(rules.resume());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static Opening decode(byte[] message) throws ProtocolException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(message))) {
            int magic = in.readInt();
            int version = in.readUnsignedByte();
            if (magic != MAGIC || version != VERSION) {
                throw new ProtocolException(
                        "the sender speaks version " + version + " and this rank " + VERSION);
            }
            long broadcast = in.readLong();
            WriteMode mode = WriteMode.of(in.readUnsignedByte());
            return new Opening(broadcast, new Rules(mode, in.readBoolean(), in.readBoolean()));
        } catch (ProtocolException refused) {
            throw refused;
        } catch (IOException garbled) {
            throw new ProtocolException("the sender's opening message is invalid");
        }
    }
}
