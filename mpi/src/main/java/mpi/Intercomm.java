package mpi;

import org.jspecify.annotations.Nullable;

/** A communicator of two groups of ranks, whose messages go from the one to the other. */
public final class Intercomm extends Comm {

    Intercomm(@Nullable CommState state) {
        super(state);
    }

    @Override
    Intercomm with(CommState made) {
        return new Intercomm(made);
    }

    static Intercomm create(Comm peer, Comm localComm, int localLeader, int remoteLeader, int tag) {
        throw Errors.unsupported("an intercommunicator");
    }
}
