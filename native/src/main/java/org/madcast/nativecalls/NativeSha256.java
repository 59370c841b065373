package org.madcast.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * SHA-256 by the system's libcrypto, which uses the processor's instructions for it. The JDK's own
 * does so too, but only after its second compiler has run, which small programs switch off. One
 * thread for each instance.
 */
public final class NativeSha256 extends MessageDigest {

    private static final String ALGORITHM = "SHA-256";
    private static final int BYTES = 32;

    private record Functions(
            Address make, Free free, Address type, Init init, Update update, Finish finish) {}

    private static final Loaded<Functions> FUNCTIONS =
            Loaded.of(
                    NativeLibrary.named("libcrypto.so.3", "libcrypto.so.1.1"),
                    c ->
                            new Functions(
                                    c.bind(Address.class, "EVP_MD_CTX_new"),
                                    c.bind(Free.class, "EVP_MD_CTX_free"),
                                    c.bind(Address.class, "EVP_sha256"),
                                    c.bind(Init.class, "EVP_DigestInit_ex"),
                                    c.bind(
                                            Update.class,
                                            "EVP_DigestUpdate",
                                            Linker.Option.critical(true)),
                                    c.bind(
                                            Finish.class,
                                            "EVP_DigestFinal_ex",
                                            Linker.Option.critical(true))));

    private final Functions functions;
    private final MemorySegment context;
    private final byte[] one = new byte[1];

    @SuppressWarnings("restricted") // this module is where native code is bound
    private NativeSha256(Functions functions) {
        super(ALGORITHM);
        this.functions = functions;
        this.context = functions.make().call().reinterpret(Arena.ofAuto(), functions.free()::call);
        begin();
    }

    /** A new digest, where the system has libcrypto and the options of this JVM allow its use. */
    public static Optional<MessageDigest> create() {
        return FUNCTIONS.functions().map(NativeSha256::new);
    }

    private static void require(int result) {
        if (result != 1) {
            throw new IllegalStateException("libcrypto refuses to compute a SHA-256");
        }
    }

    @Override
    protected int engineGetDigestLength() {
        return BYTES;
    }

    @Override
    protected void engineReset() {
        begin();
    }

    private void begin() {
        require(functions.init().call(context, functions.type().call(), MemorySegment.NULL));
    }

    @Override
    protected void engineUpdate(byte input) {
        one[0] = input;
        engineUpdate(one, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        MemorySegment bytes = MemorySegment.ofArray(input).asSlice(offset, length);
        require(functions.update().call(context, bytes, length));
    }

    @Override
    protected byte[] engineDigest() {
        byte[] digest = new byte[BYTES];
        MemorySegment into = MemorySegment.ofArray(digest);
        require(functions.finish().call(context, into, MemorySegment.NULL));
        engineReset();
        return digest;
    }

    /** {@code void *f(void)}. */
    public interface Address {
        /** Calls. */
        MemorySegment call();
    }

    /** {@code void EVP_MD_CTX_free(context)}. */
    public interface Free {
        /** Calls. */
        void call(MemorySegment context);
    }

    /** {@code int EVP_DigestInit_ex(context, type, engine)}. */
    public interface Init {
        /** Calls. */
        int call(MemorySegment context, MemorySegment type, MemorySegment engine);
    }

    /** {@code int EVP_DigestUpdate(context, bytes, count)}. */
    public interface Update {
        /** Calls. */
        int call(MemorySegment context, MemorySegment bytes, long length);
    }

    /** {@code int EVP_DigestFinal_ex(context, digest, length *)}. */
    public interface Finish {
        /** Calls. */
        int call(MemorySegment context, MemorySegment digest, MemorySegment length);
    }
}
