package mpi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MadcastException;

/**
 * Where two groups of processes meet: as a job of its own, in which the ranks of the first group
 * come first. The first process of the first group listens there, unless both have one service.
 *
 * @param job the name of the job
 * @param host the address at which the first process listens
 * @param port its TCP port
 * @param service the service of both groups; empty for none
 */
record Meeting(String job, String host, int port, String service) {

    /** What this process calls its service; empty for none. */
    static String service(CommunicatorConfig config) {
        URI service = config.serviceUri();
        return service == null ? "" : service.toString();
    }

    /** For a group whose rank 0 this process is. */
    static Meeting here(Environment environment, String othersService) {
        String own = service(environment.config());
        InetAddress address = environment.address();
        return new Meeting(
                "joint-" + UUID.randomUUID(),
                address.getHostAddress(),
                Port.free(address),
                own.equals(othersService) ? own : "");
    }

    String write() {
        return String.join(" ", job, host, Integer.toString(port), service);
    }

    static Meeting read(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("'" + text + "' is no place to meet");
        }
        return new Meeting(parts[0], parts[1], Integer.parseInt(parts[2]), parts[3]);
    }

    /** How this process joins: as its own job was joined, and with the same key. */
    private CommunicatorConfig config(CommunicatorConfig own, int rank, int size) {
        CommunicatorConfig.Builder builder =
                CommunicatorConfig.builder(job, rank, size)
                        .name("joint")
                        .key(own.key())
                        .networkInterface(own.networkInterface())
                        .madcap(own.madcap())
                        .joinTimeout(own.joinTimeout())
                        .objectFilter(own.objectFilter())
                        .parameters(own.parameters());
        return service.isEmpty()
                ? builder.rootAddress(InetSocketAddress.createUnresolved(host, port)).build()
                : builder.serviceUri(URI.create(service))
                        .serviceToken(own.serviceToken())
                        .ownerSecret(own.ownerSecret())
                        .build();
    }

    /**
     * An intercommunicator of a group with one that it meets; a collective call of both.
     *
     * @param local the own group
     * @param first whether it is the first
     * @param otherSize how many ranks the other group has
     */
    Intercomm join(CommState local, boolean first, int otherSize) {
        Environment environment = Environment.current();
        Communicator own = local.all();
        int rank = first ? own.rank() : otherSize + own.rank();
        World world;
        try {
            world = World.join(config(environment.config(), rank, own.size() + otherSize));
        } catch (MadcastException failed) {
            throw new MPIException(
                    ErrorClass.PORT, "the two groups did not meet: " + failed.getMessage(), failed);
        }
        world.introduce(environment.processes(), environment.identity());
        Group all = world.groupOf(world.ranks());
        int[] others = Group.allRanks(otherSize);
        for (int i = 0; first && i < otherSize; i++) {
            others[i] += own.size();
        }
        CommState made =
                new CommState(
                        world,
                        world.ranks().dup(),
                        own.dup(),
                        local.localGroup(),
                        all.incl(others),
                        first);
        made.handler = local.handler;
        return new Intercomm(made);
    }

    /** Waits at a port for another group; a collective call of the own one. */
    static Intercomm accept(CommState local, String port, int root) {
        Communicator own = checked(local, root);
        Port.@Nullable Call[] call = new Port.Call[1];
        String service =
                shared(
                        own,
                        root,
                        () -> {
                            Port.Call came = Port.of(port).await();
                            call[0] = came;
                            return came.size() + " " + came.service();
                        });
        int space = service.indexOf(' ');
        int otherSize = Integer.parseInt(service.substring(0, space));
        Meeting meeting =
                read(
                        shared(
                                own,
                                0,
                                () ->
                                        here(Environment.current(), service.substring(space + 1))
                                                .write()));
        String _ =
                shared(
                        own,
                        root,
                        () -> {
                            Objects.requireNonNull(call[0]).answer(own.size(), meeting);
                            return "";
                        });
        return meeting.join(local, true, otherSize);
    }

    /** Connects to the port of another group; a collective call of the own one. */
    static Intercomm connect(CommState local, String port, int root) {
        Communicator own = checked(local, root);
        String answer =
                shared(
                        own,
                        root,
                        () -> {
                            Port.Answer came =
                                    Port.connect(
                                            port,
                                            own.size(),
                                            service(Environment.current().config()));
                            return came.size() + " " + came.meeting().write();
                        });
        int space = answer.indexOf(' ');
        return read(answer.substring(space + 1))
                .join(local, false, Integer.parseInt(answer.substring(0, space)));
    }

    static Communicator checked(CommState local, int root) {
        if (root < 0 || root >= local.all().size()) {
            throw new MPIException(
                    ErrorClass.ROOT,
                    "root %d is outside 0 to %d".formatted(root, local.all().size() - 1));
        }
        return local.all();
    }

    /** What one rank finds out for all, which fail together. */
    interface Finding {
        String find();
    }

    /** What the root finds out; all ranks throw if that fails. */
    static String shared(Communicator ranks, int root, Finding finding) {
        MPIException failed = null;
        byte[] text = null;
        if (ranks.rank() == root) {
            try {
                text = ("0 " + finding.find()).getBytes(StandardCharsets.UTF_8);
            } catch (RuntimeException wrong) {
                failed = Errors.of(wrong);
                text =
                        (failed.getErrorClass() + " " + failed.sentence())
                                .getBytes(StandardCharsets.UTF_8);
            }
        }
        String told = new String(ranks.bcastUnknownLength(text, root), StandardCharsets.UTF_8);
        if (failed != null) {
            throw failed;
        }
        int space = told.indexOf(' ');
        int code = Integer.parseInt(told.substring(0, space));
        if (code != MPI.SUCCESS) {
            throw new MPIException(ErrorClass.of(code), told.substring(space + 1));
        }
        return told.substring(space + 1);
    }
}
