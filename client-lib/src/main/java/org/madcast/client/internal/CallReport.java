package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.Buffer;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;

/**
 * Where the time of this process goes, if the variable {@code MADCAST_REPORT} is set: each call of
 * a communicator is counted and timed, and one line on standard error says the sums when the
 * process ends. Otherwise communicators are as they are. Any thread.
 */
final class CallReport {

    /** What the line begins with, for {@code madcast run --report}. */
    static final String MARK = "madcast: report: ";

    private static final int COSTLIEST = 5;
    private static final String WAIT = "wait";

    /** Calls that send, receive or wait; the rest are questions, and close. */
    private static final List<String> NOT_COUNTED =
            List.of(
                    "rank",
                    "size",
                    "worldRank",
                    "info",
                    "statistics",
                    "selection",
                    "site",
                    "poll",
                    "codec",
                    "isRevoked",
                    "lostRanks",
                    "acknowledgeLost");

    private static final @Nullable CallReport RUNNING =
            System.getenv().getOrDefault("MADCAST_REPORT", "").isBlank() ? null : new CallReport();

    private static final class Tally {
        private final LongAdder calls = new LongAdder();
        private final LongAdder ns = new LongAdder();
        private final LongAdder bytes = new LongAdder();

        void add(long tookNs, long size) {
            calls.increment();
            ns.add(tookNs);
            bytes.add(size);
        }

        long costNs() {
            return ns.sum();
        }
    }

    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
    private final long startNs = System.nanoTime();
    private int rank = -1;

    /** For tests; the process's own is made on its own. */
    CallReport() {}

    /** The communicator in which the process begins, counted if that is wanted. */
    static Communicator of(Communicator world) {
        return RUNNING == null ? world : RUNNING.begin(world);
    }

    /** The start of a wait for what a call began, or 0 if nobody counts. */
    static long beginWait() {
        return RUNNING == null ? 0 : System.nanoTime();
    }

    /** Its end. */
    static void endWait(long startedNs) {
        if (RUNNING != null) {
            RUNNING.tally(WAIT).add(System.nanoTime() - startedNs, 0);
        }
    }

    private synchronized Communicator begin(Communicator world) {
        if (rank < 0) {
            rank = world.rank();
            Thread hook = new Thread(() -> System.err.println(MARK + line()), "madcast-report");
            Runtime.getRuntime().addShutdownHook(hook);
        }
        return counted(world);
    }

    private Tally tally(String name) {
        return tallies.computeIfAbsent(name, _ -> new Tally());
    }

    /** The communicator with all its calls counted, and those of the ones made of it. */
    Communicator counted(Communicator of) {
        InvocationHandler counting =
                (_, method, arguments) -> call(of, method, arguments == null ? NONE : arguments);
        return (Communicator)
                Proxy.newProxyInstance(
                        CallReport.class.getClassLoader(),
                        new Class<?>[] {Communicator.class},
                        counting);
    }

    private static final Object[] NONE = {};

    private @Nullable Object call(Communicator of, Method method, Object[] arguments)
            throws Throwable {
        String name = method.getName();
        boolean counts = method.getDeclaringClass() != Object.class && !NOT_COUNTED.contains(name);
        long startedNs = System.nanoTime();
        Object result = null;
        try {
            result = method.invoke(of, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        } finally {
            if (counts) {
                tally(name).add(System.nanoTime() - startedNs, bytes(arguments, result));
            }
        }
        if (result instanceof Communicator made) {
            return counted(made);
        }
        return result instanceof Optional<?> maybe
                        && maybe.orElse(null) instanceof Communicator made
                ? Optional.of(counted(made))
                : result;
    }

    /** What a message had, or all that the call's buffers have. */
    private static long bytes(Object[] arguments, @Nullable Object result) {
        if (result instanceof MessageStatus status) {
            return status.bytes();
        }
        long sum = 0;
        for (int i = 0; i < arguments.length; i++) {
            sum +=
                    switch (arguments[i]) {
                        case MemorySegment memory -> memory.byteSize();
                        case byte[] array -> range(arguments, i, array);
                        case short[] array -> 2 * range(arguments, i, array);
                        case char[] array -> 2 * range(arguments, i, array);
                        case int[] array -> 4 * range(arguments, i, array);
                        case float[] array -> 4 * range(arguments, i, array);
                        case long[] array -> 8 * range(arguments, i, array);
                        case double[] array -> 8 * range(arguments, i, array);
                        case Buffer buffer -> buffer.remaining();
                        case null, default -> 0;
                    };
        }
        return sum;
    }

    /** An array is followed by the offset and the length of what is meant, or is meant whole. */
    private static long range(Object[] arguments, int at, Object array) {
        boolean part =
                at + 2 < arguments.length
                        && arguments[at + 1] instanceof Integer
                        && arguments[at + 2] instanceof Integer;
        return part ? (Integer) arguments[at + 2] : Array.getLength(array);
    }

    /** Rank, seconds, seconds in calls, their part, bytes, and the costliest calls. */
    String line() {
        double wall = (System.nanoTime() - startNs) / 1e9;
        double calls = tallies.values().stream().mapToLong(Tally::costNs).sum() / 1e9;
        long bytes = tallies.values().stream().mapToLong(tally -> tally.bytes.sum()).sum();
        String costliest =
                tallies.entrySet().stream()
                        .sorted(
                                Map.Entry.<String, Tally>comparingByValue(
                                                Comparator.comparingLong(Tally::costNs))
                                        .reversed())
                        .limit(COSTLIEST)
                        .map(entry -> text(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%4d %9.3f %9.3f %6.1f %10s  %s",
                rank,
                wall,
                calls,
                wall > 0 ? 100 * calls / wall : 0,
                size(bytes),
                costliest);
    }

    private static String text(String name, Tally tally) {
        long bytes = tally.bytes.sum();
        return String.format(
                Locale.ROOT,
                "%s %.3f s (%d calls%s)",
                name,
                tally.costNs() / 1e9,
                tally.calls.sum(),
                bytes == 0 ? "" : ", " + size(bytes));
    }

    private static String size(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < units.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
    }
}
