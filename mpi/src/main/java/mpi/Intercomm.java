package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;

/**
 * A communicator of two groups of ranks: a message goes to a rank of the other group, and the ranks
 * of this group are its size.
 */
public final class Intercomm extends Comm {

    Intercomm(@Nullable CommState state) {
        super(state);
    }

    @Override
    Intercomm with(CommState made) {
        return new Intercomm(made);
    }

    /** What the leaders exchange: a number for the communicator, then the group's processes. */
    private record Introduction(long id, List<Processes.Identity> members) {

        static Introduction of(Group group) {
            Processes processes = Environment.current().processes();
            return new Introduction(
                    ThreadLocalRandom.current().nextLong(),
                    IntStream.of(group.members()).mapToObj(processes::identity).toList());
        }

        long[] toLongs() {
            LongStream all =
                    members.stream().flatMapToLong(it -> LongStream.of(it.job(), it.rank()));
            return LongStream.concat(LongStream.of(id), all).toArray();
        }

        String toText() {
            return LongStream.of(toLongs())
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(" "));
        }

        static Introduction of(String text) {
            return of(Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray());
        }

        static Introduction of(long[] longs) {
            return new Introduction(
                    longs[0],
                    IntStream.range(0, longs.length / 2)
                            .mapToObj(i ->
                                    new Processes.Identity(
                                            longs[1 + 2 * i], (int) longs[2 + 2 * i]))
                            .toList());
        }

        /** Whether its processes are of one COMM_WORLD. */
        boolean isOf(long job) {
            return members.stream().allMatch(it -> it.job() == job);
        }

        int[] ranks() {
            return members.stream().mapToInt(Processes.Identity::rank).toArray();
        }
    }

    /** See {@link Comm#createIntercomm}. */
    static Intercomm create(Comm peer, Comm localComm, int localLeader, int remoteLeader, int tag) {
        CommState local = CommHandle.of(localComm);
        if (local.isInter()) {
            throw new MPIException(
                    ErrorClass.COMM, "the local communicator is an intercommunicator");
        }
        int _ = local.inAll("local leader", localLeader);
        CommTransfers.checkTag(tag);
        Communicator ranks = local.all();
        @Nullable Leaders[] leaders = new Leaders[1];
        String both =
                Meeting.shared(
                        ranks,
                        localLeader,
                        () -> {
                            CommState with = peer.state();
                            int to = with.inAll("remote leader", remoteLeader);
                            Leaders met = new Leaders(with.all(), to, tag);
                            leaders[0] = met;
                            Introduction mine = Introduction.of(local.localGroup());
                            return mine.toText() + ";" + met.exchange(mine).toText();
                        });
        int end = both.indexOf(';');
        Introduction own = Introduction.of(both.substring(0, end));
        Introduction other = Introduction.of(both.substring(end + 1));
        if (!Collections.disjoint(own.members, other.members)) {
            throw new MPIException(ErrorClass.GROUP, "the two groups have a process in common");
        }
        long job = Environment.current().identity().job();
        if (own.isOf(job) && other.isOf(job)) {
            return inOneWorld(local, own, other);
        }
        boolean first = own.id < other.id;
        return meeting(ranks, localLeader, leaders[0], first)
                .join(local, first, other.members.size());
    }

    /** Where groups of several jobs meet: at rank 0 of the first group. */
    private static Meeting meeting(
            Communicator ranks, int leader, @Nullable Leaders leaders, boolean first) {
        String place =
                first
                        ? Meeting.shared(
                                ranks, 0, () -> Meeting.here(Environment.current(), "").write())
                        : "";
        return Meeting.read(
                Meeting.shared(
                        ranks,
                        leader,
                        () -> Objects.requireNonNull(leaders).pass(first ? place : null)));
    }

    /** The way from the leader of one group to that of the other. */
    private record Leaders(Communicator with, int to, int tag) {

        Introduction exchange(Introduction own) {
            List<MemorySegment> got = new ArrayList<>();
            CompletableFuture<MessageStatus> receive = receive(got);
            with.send(MemorySegment.ofArray(own.toLongs()), to, tag);
            MessageStatus _ = receive.join();
            MemorySegment answer = got.getFirst();
            if (answer.byteSize() % (2 * Long.BYTES) != Long.BYTES
                    || answer.byteSize() == Long.BYTES) {
                throw new MPIException(
                        ErrorClass.TAG,
                        "tag %d is in use: what came with it is no answer of the other leader"
                                .formatted(tag));
            }
            return Introduction.of(answer.toArray(ValueLayout.JAVA_LONG_UNALIGNED));
        }

        /** Sends a text, or receives it. */
        String pass(@Nullable String text) {
            if (text == null) {
                List<MemorySegment> got = new ArrayList<>();
                MessageStatus _ = receive(got).join();
                byte[] bytes = got.getFirst().toArray(ValueLayout.JAVA_BYTE);
                return new String(bytes, StandardCharsets.UTF_8);
            }
            with.send(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)), to, tag);
            return text;
        }

        private CompletableFuture<MessageStatus> receive(List<MemorySegment> got) {
            return with.irecv(
                    bytes -> {
                        got.add(MemorySegment.ofArray(new byte[(int) bytes]));
                        return got.getFirst();
                    },
                    to,
                    tag);
        }
    }

    /** The group whose first process is the lower one is the first in the common communicator. */
    private static Intercomm inOneWorld(CommState local, Introduction own, Introduction other) {
        boolean first = own.ranks()[0] < other.ranks()[0];
        List<Integer> all = new ArrayList<>();
        IntStream.of((first ? own : other).ranks()).forEach(all::add);
        IntStream.of((first ? other : own).ranks()).forEach(all::add);
        World world = Environment.current().world();
        CommState made =
                new CommState(
                        world,
                        world.ranks().createGroup(all, (first ? own : other).id),
                        local.all().dup(),
                        local.localGroup(),
                        new Group(other.ranks()),
                        first);
        made.handler = local.handler;
        return new Intercomm(made);
    }

    /** A communicator of the same groups (MPI_Comm_dup). */
    @Override
    public Intercomm clone() {
        return (Intercomm) super.clone();
    }

    @Override
    public Intercomm dup() throws MPIException {
        return (Intercomm) super.dup();
    }

    @Override
    public Intercomm iDup() throws MPIException {
        return (Intercomm) super.iDup();
    }

    @Override
    public Intercomm dupWithInfo(Info info) throws MPIException {
        return (Intercomm) super.dupWithInfo(info);
    }

    /** How many ranks the other group has (MPI_Comm_remote_size). */
    public int getRemoteSize() throws MPIException {
        try {
            return state().remoteGroup().members().length;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getRemoteSize}. */
    public int Remote_size() throws MPIException {
        return getRemoteSize();
    }

    /** The ranks of the other group (MPI_Comm_remote_group). */
    public Group getRemoteGroup() throws MPIException {
        try {
            return new Group(state().remoteGroup().members());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getRemoteGroup}. */
    public Group Remote_group() throws MPIException {
        return getRemoteGroup();
    }

    /**
     * One group of both, in which the ranks of the group that passes {@code false} come first
     * (MPI_Intercomm_merge).
     */
    public Intracomm merge(boolean high) throws MPIException {
        try {
            CommState both = state();
            return new Intracomm(both.part(both.all().split(0, high ? 1 : 0).orElseThrow()));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #merge}. */
    public Intracomm Merge(boolean high) throws MPIException {
        return merge(high);
    }

    /**
     * The processes that spawned this one: a null communicator if none did, or once it was freed
     * (MPI_Comm_get_parent).
     */
    public static Intercomm getParent() throws MPIException {
        return Environment.current().parent();
    }
}
