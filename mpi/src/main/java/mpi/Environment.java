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
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.JobKey;
import org.madcast.client.MessageStatus;
import org.madcast.client.Messages;
import org.madcast.client.ObjectCodec;
import org.madcast.client.RankLostException;

/** This process's part of the job, from Init to Finalize. */
final class Environment {

    /** What a rank ends with that an error handler ends: the launcher's code for a failed rank. */
    private static final int EXIT_RANK_FAILED = 8;

    private static final int ABORT_TAG = 0;

    private static final String NO_INIT = "MPI.Init has not been called";

    private static volatile @Nullable Environment current;
    private static volatile boolean finalized;

    /** How long a rank that aborts waits for the other ranks to end too. */
    private static final Duration ABORT_TIME = Duration.ofSeconds(1);

    private final CommunicatorConfig config;
    private final World world;

    /** By which ranks report that the job ends. */
    private final Communicator control;

    private final Processes processes;
    private final Processes.Identity identity;
    private final Thread mainThread;
    private Intercomm parent = new Intercomm(null);

    private Environment(CommunicatorConfig config) {
        this.config = config;
        this.world = World.join(config);
        this.control = world.control();
        Communicator ranks = world.ranks();
        long job = ranks.info().token();
        this.processes = new Processes(job, ranks.size());
        this.identity = new Processes.Identity(job, ranks.rank());
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
        Environment started = new Environment(config(System.getenv()));
        started.bindCommunicators();
        started.describe(MPI.INFO_ENV);
        started.endWithTheJob();
        current = started;
        Runtime.getRuntime().addShutdownHook(new Thread(Environment::atExit, "madcast-mpi-exit"));
        started.meetParent();
    }

    /** A process that no launcher started is a job of one rank, and needs no network. */
    private static CommunicatorConfig config(Map<String, String> environment) {
        if (CommunicatorConfig.isLaunched(environment)) {
            return CommunicatorConfig.fromEnvironment();
        }
        String key = environment.getOrDefault("MADCAST_KEY", "");
        String device = environment.getOrDefault("MADCAST_INTERFACE", "");
        return CommunicatorConfig.builder("single-" + ProcessHandle.current().pid(), 0, 1)
                .networkInterface(
                        device.isBlank()
                                ? InetAddress.getLoopbackAddress().getHostAddress()
                                : device)
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .key(key.isBlank() ? null : JobKey.ofHex(key))
                .build();
    }

    /** Connects with the processes that spawned this one, if any did, and ends when they die. */
    private void meetParent() {
        String given = System.getenv().getOrDefault(Spawning.PARENT, "");
        if (given.startsWith(config.jobId() + " ")) {
            String port = given.substring(given.indexOf(' ') + 1);
            parent = Meeting.connect(MPI.COMM_WORLD.state(), port, 0);
            CommState made = parent.state();
            made.name = "MPI_COMM_PARENT";
            int parents = made.peers();
            made.world()
                    .whenLost(
                            rank -> rank < parents,
                            () -> {
                                System.err.println(
                                        "madcast: spawned rank %d ends: a process that spawned it is gone"
                                                .formatted(rank()));
                                halt(EXIT_RANK_FAILED);
                            });
        }
    }

    /** The processes that spawned this one; null communicator if none did. */
    Intercomm parent() {
        return parent;
    }

    private void bindCommunicators() {
        CommState all = new CommState(world, world.ranks());
        all.name = "MPI_COMM_WORLD";
        MPI.COMM_WORLD.bind(all);
        CommState self = new CommState(world, world.ranks().createGroup(List.of(rank()), 0));
        self.name = "MPI_COMM_SELF";
        MPI.COMM_SELF.bind(self);
    }

    /** The rank in COMM_WORLD. */
    int rank() {
        return world.ranks().rank();
    }

    int size() {
        return world.ranks().size();
    }

    /** How this process joined. */
    CommunicatorConfig config() {
        return config;
    }

    /** Where others reach this process. */
    InetAddress address() {
        return world.ranks().info().members().get(rank()).getAddress();
    }

    /** The processes that this one knows. */
    Processes processes() {
        return processes;
    }

    /** This process, as all processes name it. */
    Processes.Identity identity() {
        return identity;
    }

    /** The number of its program among those that were spawned together. */
    int programNumber() {
        String number = System.getenv().getOrDefault(Spawning.PROGRAM_NUMBER, "");
        return number.matches("\\d{1,9}") ? Integer.parseInt(number) : 0;
    }

    boolean isMainThread() {
        return Thread.currentThread().equals(mainThread);
    }

    /** What reads objects; before Init and after Finalize, one with the default filter. */
    static ObjectCodec codec() {
        Environment running = current;
        return running == null ? new ObjectCodec(null) : running.world.ranks().codec();
    }

    /** Where the job's ranks met. */
    World world() {
        return world;
    }

    private void describe(Info info) {
        info.set("command", shortened(System.getProperty("sun.java.command", "")));
        info.set("maxprocs", Integer.toString(size()));
        info.set("soft", Integer.toString(size()));
        info.set("host", shortened(processorName()));
        info.set("arch", shortened(System.getProperty("os.arch", "")));
        info.set("wdir", shortened(System.getProperty("user.dir", "")));
        info.set("thread_level", "MPI_THREAD_MULTIPLE");
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), MPI.MAX_INFO_VAL));
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
                                // The ranks that are left can still abort.
                                Thread _ =
                                        Thread.startVirtualThread(
                                                () -> world.goOnAfterLoss(this::endWithTheJob));
                            }
                        });
    }

    private static void halt(int code) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /** Waits for the other ranks and for those that are connected with this one, then leaves. */
    static synchronized void end() {
        Environment running = current();
        try {
            AttachedBuffer.flush();
            PublishedNames.withdraw();
            Port.closeAll();
            running.awaitAll();
        } catch (RuntimeException failed) {
            if (MPI.COMM_WORLD.handler().isFatal()) {
                running.endJob("Finalize", Errors.of(failed));
            }
            throw failed;
        } finally {
            finalized = true;
            current = null;
            running.leave();
        }
    }

    /** Connected processes that are gone are not waited for. */
    private void awaitAll() {
        List<CompletableFuture<Void>> others =
                CommState.worlds().stream()
                        .filter(each -> !each.equals(world))
                        .map(each -> each.control().ibarrier())
                        .toList();
        world.ranks().barrier();
        for (CompletableFuture<Void> other : others) {
            Void _ = other.handle((_, _) -> (Void) null).join();
        }
    }

    private void leave() {
        MPI.COMM_SELF.bind(null);
        MPI.COMM_WORLD.bind(null);
        CommState.closeAll(world);
    }

    /** Ends all ranks after an error that the error handler calls fatal. */
    void endJob(String call, MPIException error) {
        abort(
                EXIT_RANK_FAILED,
                "%s: %s; with the error handler ERRORS_RETURN it would be an exception"
                        .formatted(call, error.getMessage()));
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
        for (int rank = 0; rank < size(); rank++) {
            if (rank != rank()) {
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
