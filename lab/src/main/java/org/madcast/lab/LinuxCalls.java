package org.madcast.lab;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.function.ToIntBiFunction;

/**
 * The system call that moves the calling platform thread into a network namespace: open(2),
 * setns(2), close(2). Each takes the segment that receives errno, and one argument.
 */
final class LinuxCalls {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO =
            STATE.varHandle(StructLayout.PathElement.groupElement("errno"));
    private static final ToIntBiFunction<MemorySegment, MemorySegment> OPEN =
            callable(
                    MethodHandles.insertArguments(
                            downcall(
                                    "open",
                                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                                    CAPTURE,
                                    Linker.Option.firstVariadicArg(2)),
                            2,
                            O_RDONLY_CLOEXEC));
    private static final ToIntBiFunction<MemorySegment, Integer> SETNS =
            callable(
                    MethodHandles.insertArguments(
                            downcall(
                                    "setns",
                                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
                                    CAPTURE),
                            2,
                            CLONE_NEWNET));
    private static final ToIntBiFunction<MemorySegment, Integer> CLOSE =
            callable(downcall("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), CAPTURE));

    private LinuxCalls() {}

    /** Moves the calling thread into the network namespace that this file stands for. */
    static void enterNetworkNamespace(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int descriptor = OPEN.applyAsInt(state, arena.allocateFrom(file.toString()));
            if (descriptor < 0) {
                throw failure("open", file, state);
            }
            IOException refusal =
                    SETNS.applyAsInt(state, descriptor) == 0 ? null : failure("setns", file, state);
            if (CLOSE.applyAsInt(state, descriptor) != 0 && refusal == null) {
                refusal = failure("close", file, state);
            }
            if (refusal != null) {
                throw refusal;
            }
        }
    }

    @SuppressWarnings("restricted") // the one place of this module that binds native code
    private static MethodHandle downcall(
            String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    @SuppressWarnings("unchecked")
    private static <T> ToIntBiFunction<MemorySegment, T> callable(MethodHandle handle) {
        return MethodHandleProxies.asInterfaceInstance(ToIntBiFunction.class, handle);
    }

    private static IOException failure(String call, Path file, MemorySegment state) {
        int errno = (int) ERRNO.get(state, 0L);
        String meaning =
                switch (errno) {
                    case 1 -> " (not permitted: needs root)";
                    case 2 -> " (no such namespace)";
                    case 22 -> " (not a network namespace)";
                    default -> "";
                };
        return new IOException(call + " " + file + ": errno " + errno + meaning);
    }
}
