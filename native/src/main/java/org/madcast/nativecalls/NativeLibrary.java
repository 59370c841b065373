package org.madcast.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;

/**
 * A native library, whose functions are called through public interfaces of one method. The types
 * of that method are those of the function: {@code int}, {@code long}, and {@link MemorySegment}
 * for a pointer. Any thread.
 */
public final class NativeLibrary {

    private static final String NATIVE_ACCESS =
            "needs java --enable-native-access=ALL-UNNAMED, or =org.madcast.nativecalls";
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private final SymbolLookup symbols;
    private final String problem;

    private NativeLibrary(SymbolLookup symbols, String problem) {
        this.symbols = symbols;
        this.problem = problem;
    }

    /** What every process has loaded, the C library among it. */
    public static NativeLibrary system() {
        return new NativeLibrary(Linker.nativeLinker().defaultLookup(), accessProblem());
    }

    /** The C library of Linux on a processor with 64 bits; without functions elsewhere. */
    public static NativeLibrary linux() {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        boolean known =
                system.equals("Linux")
                        && (processor.equals("amd64") || processor.equals("aarch64"));
        return known ? system() : missing("needs Linux on amd64 or aarch64");
    }

    /**
     * The first of these libraries that the system has.
     *
     * @param files names as the system's loader takes them, such as {@code libcrypto.so.3}
     */
    @SuppressWarnings("restricted") // this module is where native code is bound
    public static NativeLibrary named(String... files) {
        if (!accessProblem().isEmpty()) {
            return missing(accessProblem());
        }
        for (String file : files) {
            try {
                return new NativeLibrary(SymbolLookup.libraryLookup(file, Arena.global()), "");
            } catch (IllegalArgumentException _) {
                // the next one
            }
        }
        return missing("this system has no " + String.join(" or ", files));
    }

    private static NativeLibrary missing(String problem) {
        return new NativeLibrary(_ -> java.util.Optional.empty(), problem);
    }

    private static String accessProblem() {
        return NativeLibrary.class.getModule().isNativeAccessEnabled() ? "" : NATIVE_ACCESS;
    }

    /**
     * Binds a function.
     *
     * @param shape a public interface of one method
     * @throws UnsupportedOperationException if the function cannot be called; the message says why
     */
    public <T> T bind(Class<T> shape, String name, Linker.Option... options) {
        return proxy(shape, name, descriptor(shape, 0), options);
    }

    /**
     * Binds a function that sets {@code errno}. The first parameter of the method of {@code shape}
     * is the memory for it, see {@link Linker.Option#captureStateLayout}; the function's own
     * follow.
     *
     * @throws UnsupportedOperationException if the function cannot be called; the message says why
     */
    public <T> T bindWithErrno(Class<T> shape, String name, Linker.Option... options) {
        Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = ERRNO;
        return proxy(shape, name, descriptor(shape, 1), all);
    }

    @SuppressWarnings("restricted") // this module is where native code is bound
    private <T> T proxy(
            Class<T> shape, String name, FunctionDescriptor descriptor, Linker.Option... options) {
        if (!problem.isEmpty()) {
            throw new UnsupportedOperationException(problem);
        }
        MemorySegment symbol =
                symbols.find(name)
                        .orElseThrow(() ->
                                new UnsupportedOperationException(
                                        "this system has no function " + name));
        MethodHandle handle = Linker.nativeLinker().downcallHandle(symbol, descriptor, options);
        return MethodHandleProxies.asInterfaceInstance(shape, handle);
    }

    private static FunctionDescriptor descriptor(Class<?> shape, int skipped) {
        Method method = shape.getMethods()[0];
        MemoryLayout[] parameters =
                Arrays.stream(method.getParameterTypes())
                        .skip(skipped)
                        .map(NativeLibrary::layout)
                        .toArray(MemoryLayout[]::new);
        return method.getReturnType() == void.class
                ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(method.getReturnType()), parameters);
    }

    private static MemoryLayout layout(Class<?> type) {
        if (type == int.class) {
            return ValueLayout.JAVA_INT;
        }
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        }
        if (type == MemorySegment.class) {
            return ValueLayout.ADDRESS;
        }
        throw new IllegalArgumentException("a native function has no parameter of type " + type);
    }
}
