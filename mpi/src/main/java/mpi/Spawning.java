package mpi;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;

/** Starts further processes, as a job of their own whose ranks are connected with this group. */
final class Spawning {

    /**
     * By which a spawned process finds those that spawned it: its job, since processes that it
     * starts itself inherit the variable, then a port.
     */
    static final String PARENT = "MADCAST_PARENT";

    /** The number of a process's program among those that were spawned together. */
    static final String PROGRAM_NUMBER = "MADCAST_APPNUM";

    private final List<Program> programs;
    private final int size;
    private final List<Process> started = new ArrayList<>();

    private Spawning(List<Program> programs) {
        this.programs = programs;
        this.size = programs.stream().mapToInt(Program::processes).sum();
    }

    /** Which programs to spawn, as the root passes them; other ranks are not asked. */
    interface Request {
        List<Program> programs();
    }

    /**
     * A collective call.
     *
     * @param codes becomes the error class of each process; may be null or too short
     */
    static Intercomm spawn(CommState local, Request request, int root, int @Nullable [] codes) {
        try {
            Intercomm made = spawn(local, request, root);
            fill(codes, MPI.SUCCESS);
            return made;
        } catch (MPIException failed) {
            fill(codes, failed.getErrorClass());
            throw failed;
        }
    }

    private static void fill(int @Nullable [] codes, int code) {
        if (codes != null) {
            Arrays.fill(codes, code);
        }
    }

    private static Intercomm spawn(CommState local, Request request, int root) {
        Communicator ranks = Meeting.checked(local, root);
        List<Port> open = new ArrayList<>();
        List<Spawning> begun = new ArrayList<>();
        try {
            String port =
                    Meeting.shared(
                            ranks,
                            root,
                            () -> {
                                Port made = Port.open(Environment.current().address(), 0);
                                open.add(made);
                                Spawning spawning = new Spawning(request.programs());
                                begun.add(spawning);
                                spawning.start(made);
                                return made.name();
                            });
            Intercomm children = Meeting.accept(local, port, root);
            begun.forEach(Spawning::keepWaiting);
            return children;
        } catch (MPIException failed) {
            begun.forEach(Spawning::kill);
            throw failed.getErrorClass() == MPI.ERR_PORT
                    ? new MPIException(
                            ErrorClass.SPAWN, String.valueOf(failed.getMessage()), failed)
                    : failed;
        } finally {
            open.forEach(Port::close);
        }
    }

    private void start(Port port) {
        if (size == 0) {
            throw new MPIException(ErrorClass.SPAWN, "no process is to be spawned: maxprocs is 0");
        }
        Environment environment = Environment.current();
        Map<String, String> variables = new HashMap<>();
        String job = "spawned-" + UUID.randomUUID();
        variables.put("MADCAST_JOB_ID", job);
        variables.put("MADCAST_SIZE", Integer.toString(size));
        variables.put(PARENT, job + " " + port.name());
        InetAddress address = environment.address();
        variables.put("MADCAST_ROOT", Port.endpoint(address, Port.free(address)));
        int processors = Runtime.getRuntime().availableProcessors();
        boolean crowded = environment.size() + size > processors;
        for (Program program : programs) {
            for (int i = 0; i < program.processes(); i++) {
                variables.put("MADCAST_RANK", Integer.toString(started.size()));
                variables.put(PROGRAM_NUMBER, Integer.toString(program.number()));
                start(program, variables, crowded, port);
            }
        }
        port.closeAfter(
                environment.config().joinTimeout(),
                "the %d processes of '%s' did not all call MPI.Init within %s"
                        .formatted(
                                size,
                                programs.getFirst().command(),
                                environment.config().joinTimeout()));
    }

    private void start(Program program, Map<String, String> variables, boolean crowded, Port port) {
        try {
            Process process = program.start(variables, crowded);
            started.add(process);
            var _ =
                    process.onExit()
                            .thenAccept(ended ->
                                    port.close(
                                            "a process of '%s' ended with code %d before MPI.Init"
                                                    .formatted(
                                                            program.command(), ended.exitValue())));
        } catch (IOException failed) {
            throw new MPIException(
                    ErrorClass.SPAWN,
                    "'%s' cannot be started: %s".formatted(program.command(), failed.getMessage()),
                    failed);
        }
    }

    private void kill() {
        started.forEach(Process::destroyForcibly);
    }

    /** This process does not end before those that it has started, whose output is its own. */
    private void keepWaiting() {
        Thread.ofPlatform()
                .name("madcast-spawned")
                .start(() -> {
                    for (int rank = 0; rank < size; rank++) {
                        int code = started.get(rank).onExit().join().exitValue();
                        if (code != 0) {
                            System.err.println(
                                    "madcast: spawned rank %d ended with code %d"
                                            .formatted(rank, code));
                        }
                    }
                });
    }
}
