package org.madcast.simulator;

/**
 * A program in rounds: in each, every rank computes for a while, and then one broadcasts to all.
 */
public interface RoundProgram {

    /** How long a rank computes in a round before it calls, in nanoseconds. */
    long computingNs(int rank, int round);

    /** The rank that broadcasts. */
    int root(int round);

    /** How long its message is, in bytes. */
    int bytes(int round);
}
