package mpi;

/** A grid and this process's place in it (MPI_Cart_get). */
public final class CartParms {

    /** The number of places in each dimension. */
    public int[] dims;

    /** Whether each dimension is periodic. */
    public boolean[] periods;

    /** This process's coordinates. */
    public int[] coords;

    CartParms(Topology.Cartesian grid, int rank) {
        this.dims = grid.grid().dims();
        this.periods = grid.grid().periods();
        this.coords = grid.coordinates(rank);
    }

    /** How many dimensions the grid has. */
    public int getDimCount() {
        return dims.length;
    }

    /** The number of places in a dimension. */
    public int getDim(int i) {
        return dims[i];
    }

    /** Whether a dimension is periodic. */
    public boolean getPeriod(int i) {
        return periods[i];
    }

    /** This process's coordinate in a dimension. */
    public int getCoord(int i) {
        return coords[i];
    }
}
