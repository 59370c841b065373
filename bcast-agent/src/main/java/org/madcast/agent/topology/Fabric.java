package org.madcast.agent.topology;

/** Hosts and the one-way links over which messages between them go. Pure; for one thread. */
interface Fabric {

    /** How many hosts there are: 0 to this - 1. */
    int hosts();

    /** How many one-way links there are, those of the hosts included. */
    int links();

    /** What a link carries, as a multiple of what a host sends at most. */
    double capacity(int link);

    /**
     * The links from a host to another one.
     *
     * @param flow tells messages between the same hosts apart
     * @param into is filled from its beginning
     * @return how many links there are
     */
    int route(int from, int to, int flow, int[] into);

    /** The most links of a route. */
    int longestRoute();

    /** What it is, in a few words. */
    String description();
}
