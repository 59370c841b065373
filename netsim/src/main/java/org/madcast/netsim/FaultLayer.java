package org.madcast.netsim;

/** A fault at work in one simulation; may keep state. Called on the simulation's thread. */
@FunctionalInterface
public interface FaultLayer {

    /** Decides what happens to one datagram. */
    void judge(Passage passage);
}
