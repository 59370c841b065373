package mpi;

/** The neighbours for a shift along a dimension (MPI_Cart_shift); PROC_NULL beyond an edge. */
public final class ShiftParms {

    /** The rank to receive from. */
    public int rank_source;

    /** The rank to send to. */
    public int rank_dest;

    ShiftParms(int source, int destination) {
        this.rank_source = source;
        this.rank_dest = destination;
    }

    /** The rank to receive from. */
    public int getRankSource() {
        return rank_source;
    }

    /** The rank to send to. */
    public int getRankDest() {
        return rank_dest;
    }
}
