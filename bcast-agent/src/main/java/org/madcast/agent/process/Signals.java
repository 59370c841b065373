package org.madcast.agent.process;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** INT and TERM: heard by this process without ending it, and sent to processes. */
public enum Signals {
    /** What Ctrl-C sends. */
    INT(2),
    /** The polite request to end. */
    TERM(15),
    /** The end, which no process can refuse. */
    KILL(9);

    private final int number;

    Signals(int number) {
        this.number = number;
    }

    /** What a shell says that a process ended with which this signal ended. */
    public int exitCode() {
        return 128 + number;
    }

    /** The signal that probably ended a process with this exit code, in words; or empty. */
    public static String describe(int exitCode) {
        return switch (exitCode - 128) {
            case 1 -> "HUP";
            case 2 -> "INT";
            case 3 -> "QUIT";
            case 6 -> "ABRT";
            case 7 -> "BUS";
            case 8 -> "FPE";
            case 9 -> "KILL, as by a user, or by the system when memory is short";
            case 11 -> "SEGV";
            case 13 -> "PIPE";
            case 15 -> "TERM";
            default -> "";
        };
    }

    /** Ends the hearing of signals. */
    public interface Hearing extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Has INT and TERM passed to a consumer until the result is closed, instead of ending this
     * process. Java has an interface for that which it does not recommend, so it is looked up by
     * name; where it is missing, signals end this process as always.
     */
    public static Hearing hear(Consumer<Signals> consumer) {
        InvocationHandler handling =
                (_, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        consumer.accept(String.valueOf(arguments[0]).endsWith("INT") ? INT : TERM);
                    }
                    return null;
                };
        List<Runnable> undo = new ArrayList<>();
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = type.getMethod("handle", type, handler);
            ClassLoader loader = Signals.class.getClassLoader();
            Object proxy = Proxy.newProxyInstance(loader, new Class<?>[] {handler}, handling);
            for (Signals signal : List.of(INT, TERM)) {
                Object of = type.getConstructor(String.class).newInstance(signal.name());
                Object before = handle.invoke(null, of, proxy);
                undo.add(() -> restore(handle, of, before));
            }
        } catch (ReflectiveOperationException e) {
            log("signals are not passed on: " + e);
        }
        return () -> undo.forEach(Runnable::run);
    }

    private static void restore(Method handle, Object signal, Object before) {
        try {
            handle.invoke(null, signal, before);
        } catch (ReflectiveOperationException e) {
            log("a signal's handler cannot be restored: " + e);
        }
    }

    private static void log(String what) {
        System.getLogger(Signals.class.getName()).log(System.Logger.Level.DEBUG, what);
    }

    /**
     * Sends it to processes that were started by {@link OwnSession}, and to all that they have
     * started.
     */
    public void sendTo(Collection<Child> children) {
        if (children.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("kill", "-" + name(), "--"));
        for (Child child : children) {
            command.add((OwnSession.isLedBy(child.pid()) ? "-" : "") + child.pid());
        }
        try {
            Process kill =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean _ = kill.waitFor(1, TimeUnit.SECONDS);
        } catch (IOException _) {
            children.forEach(this == KILL ? Child::kill : Child::terminate);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
