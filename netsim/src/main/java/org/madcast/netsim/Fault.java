package org.madcast.netsim;

import java.util.function.Predicate;

/**
 * One thing that goes wrong in the network: a recipe from which each simulation opens a fresh
 * {@link FaultLayer}, so one fault can serve any number of simulations. {@link Faults} has the
 * usual ones; the methods here restrict them.
 *
 * @param name names the fault's own stream of random numbers, together with how many faults of the
 *     same name stand before it in the plan
 * @param side where it sits
 * @param opening makes the layer
 */
public record Fault(String name, LinkSide side, Opening opening) {

    /** Makes a layer for one simulation. */
    @FunctionalInterface
    public interface Opening {

        /**
         * Makes the layer.
         *
         * @param random the layer's own stream
         * @param nodeCount nodes are numbered from 0 to this, exclusive
         */
        FaultLayer open(RandomStream random, int nodeCount);
    }

    /** The same before the switch: it then happens to all receivers of a multicast alike. */
    public Fault onUplink() {
        return new Fault(name, LinkSide.UPLINK, opening);
    }

    /** The same for multicast datagrams only. */
    public Fault onlyMulticast() {
        return when(Passage::isMulticast);
    }

    /** The same for unicast datagrams only. */
    public Fault onlyUnicast() {
        return when(passage -> !passage.isMulticast());
    }

    /** The same on one node's link only: as sender on an uplink, as receiver on a downlink. */
    public Fault onNode(int node) {
        return when(passage -> passage.node() == node);
    }

    /** The same from a time, inclusive, to another, exclusive. */
    public Fault during(long fromNs, long untilNs) {
        return when(passage -> passage.nowNs() >= fromNs && passage.nowNs() < untilNs);
    }

    /** The same for some passages only; for the others the layer is not asked. */
    public Fault when(Predicate<Passage> condition) {
        return new Fault(
                name,
                side,
                (random, nodeCount) -> {
                    FaultLayer layer = opening.open(random, nodeCount);
                    return passage -> {
                        if (condition.test(passage)) {
                            layer.judge(passage);
                        }
                    };
                });
    }
}
