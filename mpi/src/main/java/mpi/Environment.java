package mpi;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MessageStatus;
import org.madcast.client.Messages;
import org.madcast.client.ObjectCodec;
import org.madcast.client.RankLostException;

/** This process's part of the job, from Init to Finalize. */
final class Environment {

    /** What a rank ends with that an error handler ends: the launcher's code for a failed rank. */
    private static final int EXIT_RANK_FAILED = 8;

    private static final int ABORT_TAG = 0;
    private static final int MEETING_TAG = 1;

    private static final String NO_INIT = "MPI.Init has not been called";

    private static volatile @Nullable Environment current;
    private static volatile boolean finalized;

    /** How long a rank that aborts waits for the other ranks to end too. */
    private static final Duration ABORT_TIME = Duration.ofSeconds(1);

    private final Communicator world;

    /** By which ranks report that the job ends. */
    private final Communicator control;

    private final Thread mainThread;

    private Environment(Communicator world) {
        this.world = world;
        this.control = world.dup();
        this.mainThread = Thread.currentThread();
    }

    /** The running one. */
    static Environment current() {
        Environment running = current;
        if (running == null) {
            throw new MPIException(
                    ErrorClass.OTHER, finalized ? "MPI.Finalize has been called" : NO_INIT);
        }
        return running;
    }

    /** Throws unless MPI runs. */
    static void check() {
        Environment _ = current();
    }

    static boolean isRunning() {
        return current != null;
    }

    static boolean isFinalized() {
        return finalized;
    }

    static synchronized void start() {
        if (current != null || finalized) {
            throw new MPIException(
                    ErrorClass.OTHER,
                    finalized
                            ? "MPI.Finalize has been called; MPI cannot be started again"
                            : "MPI.Init has been called before");
        }
        Environment started = new Environment(join(System.getenv()));
        started.bindCommunicators();
        started.describe(MPI.INFO_ENV);
        started.meetNeighbours();
        started.endWithTheJob();
        current = started;
        Runtime.getRuntime().addShutdownHook(new Thread(Environment::atExit, "madcast-mpi-exit"));
    }

    /** A process that no launcher started is a job of one rank, and needs no network. */
    private static Communicator join(Map<String, String> environment) {
        return Communicator.join(
                CommunicatorConfig.isLaunched(environment)
                        ? CommunicatorConfig.fromEnvironment()
                        : CommunicatorConfig.builder(
                                        "single-" + ProcessHandle.current().pid(), 0, 1)
                                .networkInterface(InetAddress.getLoopbackAddress().getHostAddress())
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .build());
    }

    private void bindCommunicators() {
        int[] ranks = IntStream.range(0, world.size()).toArray();
        CommState all = new CommState(world, new Group(ranks));
        all.name = "MPI_COMM_WORLD";
        MPI.COMM_WORLD.bind(all);
        CommState self =
                new CommState(
                        world.createGroup(List.of(world.rank()), 0),
                        new Group(new int[] {world.rank()}));
        self.name = "MPI_COMM_SELF";
        MPI.COMM_SELF.bind(self);
    }

    /** The rank in COMM_WORLD. */
    int rank() {
        return world.rank();
    }

    int size() {
        return world.size();
    }

    boolean isMainThread() {
        return Thread.currentThread().equals(mainThread);
    }

    /** What reads objects; before Init and after Finalize, one with the default filter. */
    static ObjectCodec codec() {
        Environment running = current;
        return running == null ? new ObjectCodec(null) : running.world.codec();
    }

    /** The communicator of the job's ranks. */
    Communicator world() {
        return world;
    }

    private void describe(Info info) {
        info.set("command", shortened(System.getProperty("sun.java.command", "")));
        info.set("maxprocs", Integer.toString(world.size()));
        info.set("soft", Integer.toString(world.size()));
        info.set("host", shortened(processorName()));
        info.set("arch", shortened(System.getProperty("os.arch", "")));
        info.set("wdir", shortened(System.getProperty("user.dir", "")));
        info.set("thread_level", "MPI_THREAD_MULTIPLE");
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), MPI.MAX_INFO_VAL));
    }

    /**
     * Opens a connection to the next rank, and to the one before: a rank that dies is then known to
     * be lost at once, though it never sent or received a message.
     */
    private void meetNeighbours() {
        int size = control.size();
        if (size > 1) {
            int next = (control.rank() + 1) % size;
            int before = (control.rank() + size - 1) % size;
            CompletableFuture<MessageStatus> met = control.irecv(Payload.EMPTY, next, MEETING_TAG);
            control.send(Payload.EMPTY, before, MEETING_TAG);
            MessageStatus _ = met.join();
        }
    }

    /** Ends this process when another rank aborts. */
    private void endWithTheJob() {
        int[] code = new int[1];
        var _ =
                control.irecv(MemorySegment.ofArray(code), Messages.ANY_SOURCE, ABORT_TAG)
                        .whenComplete((got, failed) -> {
                            if (got != null && !got.cancelled()) {
                                halt(code[0]);
                            } else if (failed instanceof RankLostException) {
                                Thread _ = Thread.startVirtualThread(this::goOnAfterLoss);
                            }
                        });
    }

    /** The ranks that are left can still abort. */
    private void goOnAfterLoss() {
        try {
            if (control.acknowledgeLost().size() < control.size() - 1) {
                endWithTheJob();
            }
        } catch (RuntimeException closed) {
            System.getLogger(Environment.class.getName())
                    .log(System.Logger.Level.TRACE, "the job ends", closed);
        }
    }

    private static void halt(int code) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /** Waits for the other ranks, then leaves. */
    static synchronized void end() {
        Environment running = current();
        try {
            AttachedBuffer.flush();
            running.world.barrier();
        } finally {
            finalized = true;
            current = null;
            running.leave();
        }
    }

    private void leave() {
        MPI.COMM_SELF.bind(null);
        MPI.COMM_WORLD.bind(null);
        CommState.closeAllBut(world);
        control.close();
        world.close();
    }

    /** Ends all ranks after an error that the error handler calls fatal. */
    void endJob(String call, MPIException error) {
        abort(
                EXIT_RANK_FAILED,
                "%s: %s (%s); with the error handler ERRORS_RETURN it would be an exception"
                        .formatted(call, error.getMessage(), ErrorClass.nameOf(error)));
    }

    /** Ends all ranks (MPI_Abort). */
    void abort(int code, String why) {
        System.out.flush();
        System.err.println("madcast: rank " + rank() + ": " + why);
        try {
            endOthers(code);
        } finally {
            halt(code);
        }
    }

    private void endOthers(int code) {
        MemorySegment message = MemorySegment.ofArray(new int[] {code});
        List<CompletableFuture<MessageStatus>> sent = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            if (rank != world.rank()) {
                sent.add(control.issend(message, rank, ABORT_TAG));
            }
        }
        boolean _ =
                control.await(() -> sent.stream().allMatch(CompletableFuture::isDone), ABORT_TIME);
    }

    /** Reports that a program ends without Finalize, unless a signal ends it. */
    private static void atExit() {
        Environment running = current;
        if (running != null && !isSignalled()) {
            System.err.println(
                    "madcast: rank "
                            + running.rank()
                            + " ended without MPI.Finalize(); call it on every rank");
        }
    }

    /** The thread that handles a signal waits for the shutdown hooks. */
    private static boolean isSignalled() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().matches("SIG[A-Z]+ handler"));
    }

    static void checkThreadLevel(int required) {
        if (required < MPI.THREAD_SINGLE || required > MPI.THREAD_MULTIPLE) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "thread level %d is outside THREAD_SINGLE (%d) to THREAD_MULTIPLE (%d)"
                            .formatted(required, MPI.THREAD_SINGLE, MPI.THREAD_MULTIPLE));
        }
    }

    /**
     * MPJ Express's launcher passes rank, configuration file and device, such as {@code niodev}, in
     * front of the program's arguments.
     */
    static String[] withoutLaunchersArguments(String @Nullable [] args) {
        if (args == null) {
            return new String[0];
        }
        boolean passed =
                args.length >= 3
                        && args[0].matches("\\d{1,9}")
                        && args[2].matches("[a-z]{2,5}dev|native|multicore");
        return passed ? Arrays.copyOfRange(args, 3, args.length) : args;
    }

    static String processorName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }
}
