package org.madcast.client.protocol;

/**
 * Who hands a fragment on to whom: the part in which the broadcast algorithms differ. Everything
 * else (noticing loss, repair, credit, custody) is the same for all. Pure functions.
 */
public interface Dissemination {

    /** Returned by {@link #child} when there are no more. */
    int NONE = -1;

    /** True when the root multicasts each fragment to the group. */
    boolean multicasts();

    /**
     * True when each fragment that was multicast is handed on by the reliable way too, from rank to
     * rank, and a rank that misses it waits for that.
     */
    default boolean sendsTwice() {
        return false;
    }

    /**
     * True when a rank hands on nothing of a message before it has all of it, and then all of it to
     * one child after the other. Of messages that are longer than the window this is not so.
     */
    default boolean keepsWhole() {
        return false;
    }

    /**
     * Into how many parts a message is dealt, fragment by fragment, each of which goes its own way;
     * 1 when all fragments go the same way and so arrive in order.
     */
    default int parts(int size) {
        return 1;
    }

    /**
     * The rank that {@code rank} hands each fragment of a part on to by unicast.
     *
     * @param index 0, 1, ... until {@link #NONE} is returned
     * @param part the fragment's number modulo {@link #parts}
     */
    int child(int index, int part, int rank, int root, int size);

    /**
     * The rank to ask first for a missing fragment of a part: over unicast the rank that hands it
     * on to this one. Not defined for the root.
     */
    int repairSource(int part, int rank, int root, int size);

    /**
     * The ranks that ask {@code rank} for repairs of a part, the inverse of {@link #repairSource}.
     *
     * @param index 0, 1, ... until {@link #NONE} is returned
     */
    default int repairClient(int index, int part, int rank, int root, int size) {
        return child(index, part, rank, root, size);
    }
}
