package org.madcast.client.report;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;

/**
 * A rank's profile: what its calls cost, if {@code MADCAST_PROFILE} or {@code MADCAST_REPORT} is
 * set. Calls within calls are part of the outer one. A call allocates nothing here, but for a block
 * of memory every few thousand calls, and for calls so long that their place in the program is
 * looked up. Written when the last communicator is closed, or the process ends. Times are of {@link
 * System#nanoTime}, ranks those of the communicator in which the processes met.
 *
 * <p><b>Threads.</b> Any; a call begins and ends on one thread.
 */
public final class CallRecorder implements AutoCloseable {

    /** Waiting for what was begun before. */
    public static final int WAIT = 0;

    // 1 to 15 are the codes of collective calls on the wire.

    /** MPI_Barrier. */
    public static final int BARRIER = 1;

    /** MPI_Bcast. */
    public static final int BCAST = 15;

    /** MPI_Send. */
    public static final int SEND = 16;

    /** MPI_Ssend. */
    public static final int SSEND = 17;

    /** MPI_Recv. */
    public static final int RECV = 18;

    /** MPI_Probe and MPI_Mprobe. */
    public static final int PROBE = 19;

    /** MPIX_Comm_agree. */
    public static final int AGREE = 20;

    /** MPIX_Comm_shrink. */
    public static final int SHRINK = 21;

    /** MPI_Comm_split. */
    public static final int SPLIT = 22;

    /** MPI_Comm_dup and MPI_Comm_create_group. */
    public static final int DUP = 23;

    // 24 is the code of messages between neighbours, on the wire too.

    /** Added for the beginning of a call that is waited for later. */
    public static final int BEGUN = 32;

    static final int KINDS = 2 * BEGUN;

    private static final String[] NAMES =
            ("wait barrier gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv"
                            + " reduce allreduce reduce_scatter scan exscan bcast send ssend recv"
                            + " probe agree shrink comm_split comm_dup neighbor_alltoall")
                    .split(" ", -1);

    /** Beyond these only sums are kept. */
    static final int MOST_EVENTS = 100_000;

    static final int EVENTS_OF_A_BLOCK = 4096;

    /** Numbers of an event: what, start, duration, waited, bytes, context. */
    static final int WIDTH = 6;

    private static final int MOST_SITES = 0xFFFF;

    /** Calls of this length have their place looked up, which takes a hundredth of it. */
    private static final long LONG_NS = 1_000_000;

    /** Records nothing. */
    private static final CallRecorder OFF = new CallRecorder(null, false, null);

    /** Of a thread: how many calls it is in, and since when the outermost one waits. */
    private final ThreadLocal<long[]> states = ThreadLocal.withInitial(() -> new long[2]);

    private final boolean on;
    final @Nullable CommunicatorConfig config;
    final @Nullable Path file;
    final long startNs = System.nanoTime();
    final Instant start = Instant.now();
    final CallSums sums;
    final List<long[]> blocks = new ArrayList<>();
    final List<String> sites = new ArrayList<>();
    private final Map<String, Integer> siteNumbers = new HashMap<>();
    private final @Nullable Thread hook;
    int events;
    long unrecorded;
    private boolean closed;

    private CallRecorder(@Nullable CommunicatorConfig config, boolean on, @Nullable Path file) {
        this.config = config;
        this.on = on;
        this.file = file;
        this.sums = new CallSums(config == null ? 0 : config.size());
        this.hook = on ? new Thread(this::end, "madcast-profile") : null;
        if (hook != null) {
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    /** The recorder of a world that this process joins; one that is off unless it is wanted. */
    public static CallRecorder of(CommunicatorConfig config) {
        Path file = CallProfile.file(config);
        return file == null && CallProfile.report().isEmpty()
                ? OFF
                : new CallRecorder(config, true, file);
    }

    /** The name of a kind of calls: MPI's, without its prefix. */
    static String name(int kind) {
        return kind < BEGUN ? NAMES[kind] : "i" + NAMES[kind - BEGUN];
    }

    /** A call of the program begins; each has its {@link #end}. Returns what that wants to know. */
    public long begin() {
        if (!on) {
            return 0;
        }
        long[] state = states.get();
        if (state[0]++ > 0) {
            return 0;
        }
        state[1] = 0;
        return System.nanoTime();
    }

    /** From now on the call that is under way depends on other ranks. */
    public void waits() {
        if (on) {
            long[] state = states.get();
            if (state[1] == 0) {
                state[1] = System.nanoTime();
            }
        }
    }

    /**
     * A call has ended, well or not.
     *
     * @param began what {@link #begin} returned
     * @param bytes the length of its message, or of the longer one of its buffers
     * @param peer the rank that it depended on; -1 if none is known
     * @param context of its communicator
     */
    public void end(long began, int kind, long bytes, int peer, long context) {
        if (!on) {
            return;
        }
        long[] state = states.get();
        if (--state[0] > 0) {
            return;
        }
        long nowNs = System.nanoTime();
        long tookNs = nowNs - began;
        long waitedNs = state[1] == 0 ? 0 : nowNs - state[1];
        long what = kind | (long) peer << 32;
        add(what, began, tookNs, waitedNs, bytes, context, tookNs < LONG_NS ? null : site());
    }

    /** The line of the program that calls. */
    private static @Nullable String site() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.filter(frame -> !isLibrary(frame.getClassName()))
                                .findFirst()
                                .map(frame ->
                                        frame.getClassName()
                                                + "."
                                                + frame.getMethodName()
                                                + ":"
                                                + frame.getLineNumber())
                                .orElse(null));
    }

    private static boolean isLibrary(String className) {
        return className.startsWith("org.madcast.client.")
                || className.startsWith("mpi.")
                || className.startsWith("org.madcast.mpi.")
                || className.startsWith("java.");
    }

    private synchronized void add(
            long what,
            long began,
            long tookNs,
            long waitedNs,
            long bytes,
            long context,
            @Nullable String site) {
        int number = site == null ? 0 : number(site);
        sums.add((int) what, (int) (what >> 32), tookNs, waitedNs, bytes, number);
        if (file == null) {
            return;
        }
        if (events == MOST_EVENTS) {
            unrecorded++;
            return;
        }
        int at = events % EVENTS_OF_A_BLOCK * WIDTH;
        if (at == 0) {
            blocks.add(new long[EVENTS_OF_A_BLOCK * WIDTH]);
        }
        long[] block = blocks.getLast();
        block[at] = what | (long) number << 8;
        block[at + 1] = began - startNs;
        block[at + 2] = tookNs;
        block[at + 3] = waitedNs;
        block[at + 4] = bytes;
        block[at + 5] = context;
        events++;
    }

    /** Places count from 1. */
    private int number(String site) {
        Integer known = siteNumbers.get(site);
        if (known == null && sites.size() < MOST_SITES) {
            sites.add(site);
            known = sites.size();
            siteNumbers.put(site, known);
        }
        return known == null ? 0 : known;
    }

    /** A message begins its way, be it of a collective call or not. */
    public void sent(int to, long bytes) {
        if (on) {
            synchronized (this) {
                sums.sent(to, bytes);
            }
        }
    }

    /** The root's message of a broadcast that all others hear. */
    public void multicast(long bytes) {
        if (on) {
            synchronized (this) {
                sums.multicastBytes += bytes;
            }
        }
    }

    /** Writes the profile. */
    @Override
    public void close() {
        if (hook == null) {
            return;
        }
        end();
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The process ends; the hook finds that all is written.
        }
    }

    private synchronized void end() {
        if (!closed) {
            closed = true;
            new CallProfile(this).write();
        }
    }
}
