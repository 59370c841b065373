package org.madcast.client.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * SHA-256 by the system's libcrypto, which uses the processor's instructions for it. The JDK's own
 * does so too, but only after its second compiler has run, which small programs switch off; and at
 * ten gigabits a second, or on a machine that stands for many hosts, the digest is what costs most.
 * For one thread each.
 */
final class NativeSha256 extends MessageDigest {

    private static final String ALGORITHM = "SHA-256";
    private static final List<String> LIBRARIES = List.of("libcrypto.so.3", "libcrypto.so.1.1");

    /** A call without arguments; public since native calls take the shape of such interfaces. */
    public interface Make {
        /** Calls it. */
        MemorySegment call();
    }

    /** {@code EVP_MD_CTX_free}. */
    public interface Free {
        /** Calls it. */
        void call(MemorySegment context);
    }

    /** {@code EVP_DigestInit_ex}. */
    public interface Init {
        /** Calls it. */
        int call(MemorySegment context, MemorySegment type, MemorySegment engine);
    }

    /** {@code EVP_DigestUpdate}. */
    public interface Update {
        /** Calls it. */
        int call(MemorySegment context, MemorySegment bytes, long length);
    }

    /** {@code EVP_DigestFinal_ex}. */
    public interface Final {
        /** Calls it. */
        int call(MemorySegment context, MemorySegment digest, MemorySegment length);
    }

    private record Calls(Make make, Free free, Make type, Init init, Update update, Final end) {}

    private static final Optional<Calls> CALLS = bind();

    private final Calls calls;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment context;
    private final byte[] one = new byte[1];

    @SuppressWarnings("restricted")
    private NativeSha256(Calls calls) {
        super(ALGORITHM);
        this.calls = calls;
        this.context = calls.make().call().reinterpret(arena, calls.free()::call);
        begin();
    }

    /** One, where the system has libcrypto. */
    static Optional<MessageDigest> create() {
        return CALLS.map(NativeSha256::new);
    }

    private static Optional<Calls> bind() {
        return LIBRARIES.stream().map(NativeSha256::bind).flatMap(Optional::stream).findFirst();
    }

    @SuppressWarnings("restricted")
    private static Optional<Calls> bind(String library) {
        try {
            SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
            FunctionDescriptor address = FunctionDescriptor.of(ADDRESS);
            return Optional.of(
                    new Calls(
                            NativeFunctions.bind(symbols, Make.class, "EVP_MD_CTX_new", address),
                            NativeFunctions.bind(
                                    symbols,
                                    Free.class,
                                    "EVP_MD_CTX_free",
                                    FunctionDescriptor.ofVoid(ADDRESS)),
                            NativeFunctions.bind(symbols, Make.class, "EVP_sha256", address),
                            NativeFunctions.bind(
                                    symbols, Init.class, "EVP_DigestInit_ex", taking(ADDRESS)),
                            NativeFunctions.bind(
                                    symbols,
                                    Update.class,
                                    "EVP_DigestUpdate",
                                    taking(JAVA_LONG),
                                    Linker.Option.critical(true)),
                            NativeFunctions.bind(
                                    symbols,
                                    Final.class,
                                    "EVP_DigestFinal_ex",
                                    taking(ADDRESS),
                                    Linker.Option.critical(true))));
        } catch (IllegalArgumentException | UnsatisfiedLinkError _) {
            return Optional.empty(); // not there, or without what is needed: the JDK's own will do
        }
    }

    private static FunctionDescriptor taking(MemoryLayout last) {
        return FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, last);
    }

    private static void require(int result) {
        if (result != 1) {
            throw new IllegalStateException("libcrypto refuses to compute a SHA-256");
        }
    }

    @Override
    protected int engineGetDigestLength() {
        return Digest.BYTES;
    }

    @Override
    protected void engineReset() {
        begin();
    }

    private void begin() {
        require(calls.init().call(context, calls.type().call(), MemorySegment.NULL));
    }

    @Override
    protected void engineUpdate(byte input) {
        one[0] = input;
        engineUpdate(one, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        MemorySegment bytes = MemorySegment.ofArray(input).asSlice(offset, length);
        require(calls.update().call(context, bytes, length));
    }

    @Override
    protected byte[] engineDigest() {
        byte[] digest = new byte[Digest.BYTES];
        require(calls.end().call(context, MemorySegment.ofArray(digest), MemorySegment.NULL));
        engineReset();
        return digest;
    }
}
