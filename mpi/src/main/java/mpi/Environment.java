package mpi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/** This process's part of the job, from Init to Finalize. */
final class Environment {

    /** What a rank ends with that an error handler ends: the launcher's code for a failed rank. */
    private static final int EXIT_RANK_FAILED = 8;

    private static final String NO_INIT = "MPI.Init has not been called";

    private static @Nullable Environment current;
    private static boolean finalized;

    private final Communicator world;
    private final Thread mainThread;

    private Environment(Communicator world) {
        this.world = world;
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
                        world.split(world.rank(), 0).orElseThrow(),
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
        CommState self = MPI.COMM_SELF.state();
        MPI.COMM_SELF.bind(null);
        MPI.COMM_WORLD.bind(null);
        self.close();
        world.close();
    }

    /** Ends all ranks after an error that the error handler calls fatal. */
    void endJob(String call, MPIException error) {
        abort(
                EXIT_RANK_FAILED,
                "%s: %s (%s); an error handler other than ERRORS_ARE_FATAL throws it"
                        .formatted(call, error.getMessage(), ErrorClass.nameOf(error)));
    }

    /** Ends all ranks (MPI_Abort). */
    void abort(int code, String why) {
        System.out.flush();
        System.err.println("madcast: rank " + rank() + ": " + why);
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /** A program that ends without Finalize is told so, and does not hang. */
    private static void atExit() {
        Environment running = current;
        if (running != null) {
            System.err.println(
                    "madcast: rank "
                            + running.rank()
                            + " ended without MPI.Finalize(); call it on every rank");
        }
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
    static String[] withoutLaunchersArguments(String[] args) {
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
