package org.madcast.client.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * How two ranks recognise each other at the start of a connection. Pure, but for the random
 * numbers.
 *
 * <pre>
 * connecting rank: "MCM1", version (32 bits), world (64), own rank (32), wanted rank (32), nonce (16 bytes)
 * accepting rank:  status (32 bits), nonce (16 bytes), MAC over all before (32 bytes)
 * connecting rank: 1 when it offers memory to share, else 0 (1 byte), MAC over all before (32 bytes)
 * accepting rank:  when memory was offered, 1 when it shares it, else 0 (1 byte)
 * </pre>
 *
 * After the last of these, frames go both ways: through the memory, or over the connection, sealed
 * where the secret says so.
 */
final class Handshake {

    static final int MAGIC = 0x4d434d31;
    static final int HELLO_BYTES = 40;
    static final int REPLY_BYTES = 52;
    static final int PROOF_BYTES = 1 + PeerSecret.MAC_BYTES;
    static final int SHARES_BYTES = 1;

    /** The reply of a rank that connects to the other one itself at the same time, and goes on. */
    static final int BUSY = 1;

    /** The version of all that follows the hello, which is the same in every version. */
    static final int VERSION = 2;

    private static final int ACCEPTED = 0;

    /** The reply of a rank of another version, which ends the connection. */
    private static final int OTHER_VERSION = 2;

    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final PeerSecret secret;
    private final byte[] hello;
    private byte[] reply = {};

    private Handshake(PeerSecret secret, byte[] hello) {
        this.secret = secret;
        this.hello = hello;
    }

    /** Of the rank that connects. */
    static Handshake connecting(PeerSecret secret, int own, int wanted) {
        byte[] nonce = nonce();
        ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES).putInt(MAGIC).putInt(VERSION);
        hello.putLong(secret.worldId()).putInt(own).putInt(wanted).put(nonce);
        return new Handshake(secret, hello.array());
    }

    /** Of the rank that is connected to, of any version; null when the hello is for another one. */
    static @Nullable Handshake accepting(PeerSecret secret, int own, int size, byte[] hello) {
        ByteBuffer in = ByteBuffer.wrap(hello);
        boolean ours = in.getInt() == MAGIC;
        int _ = in.getInt(); // the version, which the reply is about
        boolean known = ours && in.getLong() == secret.worldId();
        int from = in.getInt();
        boolean forUs = in.getInt() == own && from >= 0 && from < size && from != own;
        return known && forUs ? new Handshake(secret, hello) : null;
    }

    byte[] hello() {
        return hello;
    }

    /** The rank that connects, as it says. */
    int from() {
        return ByteBuffer.wrap(hello).getInt(16);
    }

    /** The version of the rank that connects, as it says. */
    int version() {
        return ByteBuffer.wrap(hello).getInt(4);
    }

    /** What the accepting rank answers. */
    byte[] reply(boolean busy) {
        int status = version() != VERSION ? OTHER_VERSION : busy ? BUSY : ACCEPTED;
        ByteBuffer out = ByteBuffer.allocate(REPLY_BYTES);
        out.putInt(status).put(nonce());
        byte[] start = Arrays.copyOf(out.array(), out.position());
        out.put(secret.mac("accepts", hello, start));
        reply = out.array();
        return reply;
    }

    /**
     * Takes the accepting rank's answer; its status, or null when it does not know the secret.
     *
     * @throws IOException when the other rank knows it, but has another version
     */
    @Nullable Integer onReply(byte[] answer) throws IOException {
        byte[] start = Arrays.copyOf(answer, REPLY_BYTES - PeerSecret.MAC_BYTES);
        byte[] mac = Arrays.copyOfRange(answer, start.length, REPLY_BYTES);
        if (!secret.isMac(mac, "accepts", hello, start)) {
            return null;
        }
        reply = answer;
        int status = ByteBuffer.wrap(answer).getInt();
        if (status == OTHER_VERSION) {
            throw new IOException("it runs another version of the library");
        }
        return status;
    }

    /**
     * What the connecting rank proves itself with.
     *
     * @param offers whether it has made the memory of {@link #memoryName}
     */
    byte[] proof(boolean offers) {
        byte[] offer = {(byte) (offers ? 1 : 0)};
        return ByteBuffer.allocate(PROOF_BYTES)
                .put(offer)
                .put(secret.mac("connects", hello, reply, offer))
                .array();
    }

    boolean isProof(byte[] shown) {
        byte[] offer = Arrays.copyOf(shown, 1);
        byte[] mac = Arrays.copyOfRange(shown, 1, PROOF_BYTES);
        return secret.isMac(mac, "connects", hello, reply, offer);
    }

    /** Whether a proof says that the connecting rank has made memory to share. */
    static boolean offers(byte[] proof) {
        return proof[0] == 1;
    }

    /** The name of that memory, which only a process with the secret can know. */
    String memoryName() {
        return HexFormat.of().formatHex(secret.mac("shares", hello, reply), 0, NONCE_BYTES);
    }

    /** The key of one direction. */
    byte[] key(boolean fromConnecting) {
        return secret.mac(fromConnecting ? "seals there" : "seals back", hello, reply);
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }
}
