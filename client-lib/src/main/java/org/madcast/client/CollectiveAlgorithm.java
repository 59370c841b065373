package org.madcast.client;

import java.util.Locale;

/** How the ranks do a collective operation. P is the number of ranks. */
public enum CollectiveAlgorithm {
    /**
     * Each rank multicasts its part, all in one call of the broadcast engine. Each rank receives a
     * datagram or more from each other.
     */
    MULTICAST,

    /**
     * Along a tree of ranks. MPI_Allreduce goes up and down it; a barrier goes up, and down by one
     * multicast where that is used.
     */
    TREE,

    /**
     * Each rank exchanges with ranks at growing distances, three of them in a round, in ceil(log4
     * P) rounds (n-way dissemination; Hoefler, section II.3.1).
     */
    DISSEMINATION,

    /** A message to or from each rank, all at once. */
    LINEAR,

    /** Ranks exchange with one partner after the other, in P - 1 rounds. */
    PAIRWISE,

    /** Parts go around, from neighbour to neighbour, in P - 1 rounds. */
    RING,

    /** Parts are gathered at doubling distances, in ceil(log2 P) rounds (Bruck et al.). */
    BRUCK,

    /** Ranks exchange whole data at doubling distances, in log2 P rounds (recursive doubling). */
    DOUBLING,

    /** Ranks exchange halves, quarters and so on, and then gather them (Rabenseifner). */
    HALVING;

    /** Its name in the selection table and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
