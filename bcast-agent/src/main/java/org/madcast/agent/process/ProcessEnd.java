package org.madcast.agent.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.util.Optional;

/**
 * Ends this process without what the JVM does at its end: it waits up to 0.3 s for threads that
 * wait in the kernel, as the one always does that listens for all virtual threads. Shutdown hooks
 * do not run. Any thread.
 */
public final class ProcessEnd {

    /** {@code _exit}; public since native calls take the shape of such interfaces. */
    public interface Exit {
        /** Calls it. */
        void call(int code);
    }

    private static final String JAVA_OPTIONS = "MADCAST_JAVA_OPTIONS";

    private static final class Native {
        private static final Optional<Exit> EXIT = exit();
    }

    private ProcessEnd() {}

    /** Does beforehand what takes some milliseconds. */
    public static void makeReady() {
        Optional<Exit> _ = Native.EXIT;
    }

    /**
     * Ends it with this code; comes back where that cannot be done, or where somebody gave the JVM
     * options, who may want what it does at its end, such as writing a recording.
     */
    public static void atOnce(int code) {
        System.out.flush();
        System.err.flush();
        String options = System.getenv(JAVA_OPTIONS);
        if (options == null || options.isBlank()) {
            Native.EXIT.ifPresent(exit -> exit.call(code));
        }
    }

    @SuppressWarnings("restricted")
    private static Optional<Exit> exit() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> symbol = linker.defaultLookup().find("_exit");
        if (symbol.isEmpty() || !ProcessEnd.class.getModule().isNativeAccessEnabled()) {
            return Optional.empty();
        }
        MethodHandle handle =
                linker.downcallHandle(
                        symbol.get(), FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        return Optional.of(MethodHandleProxies.asInterfaceInstance(Exit.class, handle));
    }
}
