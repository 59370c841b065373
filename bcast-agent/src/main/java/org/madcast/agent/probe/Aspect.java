package org.madcast.agent.probe;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that is tried between every two points.
 *
 * @param kind what is tried
 * @param value for {@link Kind#SIZE} and {@link Kind#UNICAST} the bytes of a datagram, for {@link
 *     Kind#TTL} its TTL, for {@link Kind#OTHER_GROUP} the group's place in the list
 */
record Aspect(Kind kind, int value) {

    /** What is tried. */
    enum Kind {
        /** Small datagrams to the group, as broadcasts would send them. */
        GROUP,
        /** The same to another group. */
        OTHER_GROUP,
        /** Datagrams of a size to the group. */
        SIZE,
        /** Datagrams of a TTL to the group. */
        TTL,
        /** Datagrams of a size from point to point. */
        UNICAST
    }

    /** With how many other groups the one that is tried is compared. */
    static final int OTHER_GROUPS = 2;

    /** The smallest datagrams that are sent. */
    static final int SMALL_BYTES = 64;

    private static final List<Integer> SIZES =
            List.of(256, 512, 1024, 1280, 1400, 1472, 4096, 8192);
    private static final List<Integer> TTLS = List.of(1, 2, 4, 8, 16, 32, 64);

    static final Aspect GROUP = new Aspect(Kind.GROUP, 0);
    static final Aspect UNICAST = new Aspect(Kind.UNICAST, SMALL_BYTES);

    /** What is tried with one train to a group for all receivers. */
    static List<Aspect> ofMulticast(int largestBytes) {
        List<Aspect> aspects = new ArrayList<>(List.of(GROUP));
        for (int i = 1; i <= OTHER_GROUPS; i++) {
            aspects.add(new Aspect(Kind.OTHER_GROUP, i));
        }
        sizes(largestBytes).forEach(size -> aspects.add(new Aspect(Kind.SIZE, size)));
        TTLS.forEach(ttl -> aspects.add(new Aspect(Kind.TTL, ttl)));
        return aspects;
    }

    /** The sizes that fit into a frame, the largest one always. */
    static List<Integer> sizes(int largestBytes) {
        List<Integer> sizes =
                new ArrayList<>(SIZES.stream().filter(s -> s < largestBytes).toList());
        sizes.add(largestBytes);
        return sizes;
    }

    static List<Integer> ttls() {
        return TTLS;
    }
}
