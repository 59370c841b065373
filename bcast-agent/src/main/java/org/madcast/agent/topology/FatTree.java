package org.madcast.agent.topology;

import java.util.Arrays;
import java.util.Locale;

/**
 * An extended generalised fat tree XGFT(h; m1..mh; w1..wh) (Öhring and others): a node of level i
 * has m_i children, and one of level i - 1 has w_i parents; hosts are level 0. All cables carry the
 * same. A k-ary n-tree, a leaf-spine network and a tree of Ethernet switches are such trees.
 *
 * <p>A message climbs to the first level at which its destination is below, and the way down is
 * then given. Which parent it climbs to is what the {@link Routing} decides.
 */
final class FatTree implements Fabric {

    private static final int MOST_LINKS = 20_000_000;

    /** How switches choose among several ways up. */
    enum Routing {
        /** By the destination's number, so that all use different ways: the best static table. */
        DMODK,
        /** Each switch has a table with a random way for each destination. */
        RANDOM,
        /** Each message goes a random way, which is what hashing its ports does. */
        ECMP,
        /** There is one way: all other cables are blocked, as by a spanning tree. */
        TREE
    }

    private final int[] children;
    private final int[] parents;
    private final int[] below;
    private final int[] ways;
    private final int[] firstLink;
    private final Routing routing;
    private final long seed;
    private final int hosts;

    /** A tree with these numbers of children and parents of each level, full of hosts. */
    FatTree(int[] children, int[] parents, Routing routing, long seed) {
        this(children, parents, routing, seed, 0);
    }

    /**
     * The same with hosts at the first places only.
     *
     * @param hosts how many there are; 0: as many as there are places
     */
    FatTree(int[] children, int[] parents, Routing routing, long seed, int hosts) {
        if (children.length == 0 || children.length != parents.length) {
            throw new IllegalArgumentException(
                    "a fat tree needs as many numbers of parents as of children");
        }
        this.children = children.clone();
        this.parents = parents.clone();
        this.routing = routing;
        this.seed = seed;
        int levels = children.length;
        below = new int[levels + 1];
        ways = new int[levels + 1];
        below[0] = 1;
        ways[0] = 1;
        for (int level = 1; level <= levels; level++) {
            below[level] = product(below[level - 1], children[level - 1]);
            ways[level] = product(ways[level - 1], parents[level - 1]);
        }
        if (hosts < 0 || hosts > below[levels]) {
            throw new IllegalArgumentException(
                    "the fat tree has room for %d hosts, not for %d"
                            .formatted(below[levels], hosts));
        }
        this.hosts = hosts == 0 ? below[levels] : hosts;
        firstLink = new int[levels + 1];
        for (int level = 1; level <= levels; level++) {
            long next =
                    firstLink[level - 1] + 2L * (below[levels] / below[level - 1]) * ways[level];
            if (next > MOST_LINKS) {
                throw new IllegalArgumentException("the fat tree is too large");
            }
            firstLink[level] = (int) next;
        }
    }

    private static int product(int one, int other) {
        if (other < 1 || (long) one * other > MOST_LINKS) {
            throw new IllegalArgumentException(
                    "numbers of children and parents are 1 or more, and the tree is not too large");
        }
        return one * other;
    }

    /** The k-ary n-tree: n levels of switches with k cables down and k up. */
    static FatTree kary(int k, int n, Routing routing, long seed, int hosts) {
        int[] children = new int[n];
        int[] parents = new int[n];
        Arrays.fill(children, k);
        Arrays.fill(parents, k);
        parents[0] = 1;
        return new FatTree(children, parents, routing, seed, hosts);
    }

    /** Leaf switches that all have a cable to each spine switch. */
    static FatTree leafSpine(
            int leaves, int hostsOfLeaf, int spines, Routing routing, long seed, int hosts) {
        return new FatTree(
                new int[] {hostsOfLeaf, leaves}, new int[] {1, spines}, routing, seed, hosts);
    }

    @Override
    public int hosts() {
        return hosts;
    }

    @Override
    public int links() {
        return firstLink[children.length];
    }

    @Override
    public double capacity(int link) {
        return 1;
    }

    @Override
    public int longestRoute() {
        return 2 * children.length;
    }

    @Override
    public int route(int from, int to, int flow, int[] into) {
        int level = 0;
        int way = 0;
        int length = 0;
        while (from / below[level] != to / below[level]) {
            int subtree = from / below[level];
            int parent = choose(level + 1, subtree, way, from, to, flow);
            way += parent * ways[level];
            level++;
            into[length++] = link(level, subtree, way, false);
        }
        while (level > 0) {
            into[length++] = link(level, to / below[level - 1], way, true);
            level--;
            way %= ways[level];
        }
        return length;
    }

    /** Between a node below a level, in the subtree of that number, and a node of the level. */
    private int link(int level, int subtree, int way, boolean down) {
        return firstLink[level - 1] + 2 * (subtree * ways[level] + way) + (down ? 1 : 0);
    }

    private int choose(int level, int subtree, int way, int from, int to, int flow) {
        int many = parents[level - 1];
        return many == 1
                ? 0
                : switch (routing) {
                    case DMODK -> to / ways[level - 1] % many;
                    case RANDOM -> drawn(many, level, subtree, way, to);
                    case ECMP -> drawn(many, level, from, to, flow);
                    case TREE -> 0;
                };
    }

    /** The same number whenever it is asked for. */
    private int drawn(int many, int... what) {
        long hash = seed;
        for (int each : what) {
            hash = (hash ^ each) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        hash = (hash ^ hash >>> 29) * 0xBF58476D1CE4E5B9L;
        return (int) Long.remainderUnsigned(hash ^ hash >>> 32, many);
    }

    @Override
    public String description() {
        return String.format(
                Locale.ROOT,
                "fat tree, children %s, parents %s, routing %s",
                Arrays.toString(children),
                Arrays.toString(parents),
                routing.name().toLowerCase(Locale.ROOT));
    }
}
