package mpi;

import org.jspecify.annotations.Nullable;

/** A communicator with the topology of a grid (Open MPI). */
public class CartComm extends Intracomm {

    private final Topology.Cartesian topology;

    CartComm(@Nullable CommState state, Topology.Cartesian topology) {
        super(state);
        this.topology = topology;
    }

    @Override
    CartComm with(CommState made) {
        return new CartComm(made, topology);
    }

    @Override
    Topology topology() {
        return topology;
    }

    /** A duplicate with the same topology (MPI_Comm_dup). */
    @Override
    public CartComm clone() {
        return (CartComm) super.clone();
    }

    @Override
    public CartComm dup() throws MPIException {
        return (CartComm) super.dup();
    }

    @Override
    public CartComm iDup() throws MPIException {
        return (CartComm) super.iDup();
    }

    @Override
    public CartComm dupWithInfo(Info info) throws MPIException {
        return (CartComm) super.dupWithInfo(info);
    }

    /** The grid and this process's place in it (MPI_Cart_get). */
    public CartParms getTopo() throws MPIException {
        try {
            return new CartParms(topology, state().all().rank());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The rank at these coordinates (MPI_Cart_rank). */
    public int getRank(int[] coords) throws MPIException {
        try {
            return topology.grid().rank(coords);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The coordinates of a rank (MPI_Cart_coords). */
    public int[] getCoords(int rank) throws MPIException {
        try {
            return topology.coordinates(rank);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The neighbours for a shift along a dimension (MPI_Cart_shift). */
    public ShiftParms shift(int direction, int disp) throws MPIException {
        try {
            return topology.shift(state().all().rank(), direction, disp);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The grids of the dimensions that remain; a collective call (MPI_Cart_sub). */
    public CartComm sub(boolean[] remainDims) throws MPIException {
        try {
            return new CartComm(subState(topology, remainDims), topology.sub(remainDims));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The place that a grid would give this process, or UNDEFINED (MPI_Cart_map). */
    public int map(int[] dims, boolean[] periods) throws MPIException {
        try {
            Topology.Cartesian grid = Topology.Cartesian.of(dims, periods, state().all().size());
            return mapped(grid.grid().size(), grid::numbers);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Divides nodes among the dimensions that are 0 (MPI_Dims_create). */
    public static void createDims(int nnodes, int[] dims) throws MPIException {
        try {
            Topology.Cartesian.divide(nnodes, dims);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }
}
