package mpi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
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

    /** What the leaders exchange: a number for the communicator, then the group's ranks. */
    private static final class Introduction {
        private final long id;
        private final int[] members;

        Introduction(long id, int[] members) {
            this.id = id;
            this.members = members;
        }

        static Introduction of(Group group) {
            return new Introduction(ThreadLocalRandom.current().nextLong(), group.members());
        }

        long[] toLongs() {
            return IntStream.range(-1, members.length)
                    .mapToLong(i -> i < 0 ? id : members[i])
                    .toArray();
        }

        static Introduction of(long[] longs) {
            return new Introduction(
                    longs[0], Arrays.stream(longs).skip(1).mapToInt(it -> (int) it).toArray());
        }
    }

    /** See {@link Comm#createIntercomm}. */
    static Intercomm create(Comm peer, Comm localComm, int localLeader, int remoteLeader, int tag) {
        CommState local = localComm.state();
        if (local.isInter()) {
            throw new MPIException(
                    ErrorClass.COMM, "the local communicator is an intercommunicator");
        }
        int _ = local.inAll("local leader", localLeader);
        Communicator ranks = local.all();
        Introduction own = Introduction.of(local.localGroup());
        long[] both;
        if (ranks.rank() == localLeader) {
            CommTransfers.checkTag(tag);
            CommState with = peer.state();
            int to = with.inAll("remote leader", remoteLeader);
            both = concatenated(own.toLongs(), exchanged(with.all(), to, tag, own.toLongs()));
        } else {
            both = new long[0];
        }
        both = broadcast(ranks, both, localLeader);
        int ownLength = 1 + own.members.length;
        own = Introduction.of(Arrays.copyOf(both, ownLength));
        Introduction other = Introduction.of(Arrays.copyOfRange(both, ownLength, both.length));
        return made(local, own, other);
    }

    private static long[] concatenated(long[] one, long[] two) {
        long[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        return both;
    }

    private static long[] exchanged(Communicator with, int to, int tag, long[] own) {
        List<long[]> got = new ArrayList<>();
        var receive =
                with.irecv(
                        bytes -> {
                            got.add(new long[(int) (bytes / Long.BYTES)]);
                            return MemorySegment.ofArray(got.getFirst());
                        },
                        to,
                        tag);
        with.send(MemorySegment.ofArray(own), to, tag);
        MessageStatus _ = receive.join();
        return got.getFirst();
    }

    private static long[] broadcast(Communicator ranks, long[] data, int root) {
        long[] length = {data.length};
        ranks.bcast(MemorySegment.ofArray(length), root);
        long[] all = ranks.rank() == root ? data : new long[(int) length[0]];
        ranks.bcast(MemorySegment.ofArray(all), root);
        return all;
    }

    /** The group whose first process is the lower one is the first in the common communicator. */
    private static Intercomm made(CommState local, Introduction own, Introduction other) {
        boolean first = own.members[0] < other.members[0];
        List<Integer> all = new ArrayList<>();
        IntStream.of((first ? own : other).members).forEach(all::add);
        IntStream.of((first ? other : own).members).forEach(all::add);
        if (all.stream().distinct().count() < all.size()) {
            throw new MPIException(ErrorClass.GROUP, "the two groups have a process in common");
        }
        Communicator world = Environment.current().world();
        CommState made =
                new CommState(
                        world.createGroup(all, (first ? own : other).id),
                        local.all().dup(),
                        local.localGroup(),
                        new Group(other.members),
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
            Communicator made = both.all().split(0, high ? 1 : 0).orElseThrow();
            return new Intracomm(both.part(made, Intracomm.groupOf(made)));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #merge}. */
    public Intracomm Merge(boolean high) throws MPIException {
        return merge(high);
    }

    /** The processes that started this one, which is a null communicator (MPI_Comm_get_parent). */
    public static Intercomm getParent() throws MPIException {
        Environment.check();
        return new Intercomm(null);
    }
}
