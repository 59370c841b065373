package org.madcast.client.file;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;

/** Makes functions of native libraries callable. */
final class NativeFunctions {

    private NativeFunctions() {}

    /** What every process has loaded, the C library among it. */
    static SymbolLookup ofSystem() {
        return Linker.nativeLinker().defaultLookup();
    }

    /**
     * A function as an interface of one method.
     *
     * @param shape the interface; public, as those of native calls have to be
     * @throws IllegalArgumentException when there is no such function
     */
    @SuppressWarnings("restricted") // what of this package is native comes through here
    static <T> T bind(
            SymbolLookup symbols,
            Class<T> shape,
            String name,
            FunctionDescriptor descriptor,
            Linker.Option... options) {
        MemorySegment symbol =
                symbols.find(name)
                        .orElseThrow(() -> new IllegalArgumentException("there is no " + name));
        MethodHandle handle = Linker.nativeLinker().downcallHandle(symbol, descriptor, options);
        return MethodHandleProxies.asInterfaceInstance(shape, handle);
    }
}
