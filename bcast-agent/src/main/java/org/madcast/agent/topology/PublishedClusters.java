package org.madcast.agent.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The effective bisection bandwidth of the clusters that seed 004, part II, section 4.2, simulated:
 * of what follows from their crossbars and numbers of hosts.
 */
public final class PublishedClusters {

    private static final int SPLITS = 40;
    private static final double PERCENT = 100;

    private PublishedClusters() {}

    /** Of each: the published one, with random tables, and with the best ones, in percent. */
    public static Map<String, double[]> bandwidths() {
        Map<String, double[]> found = new LinkedHashMap<>();
        found.put("Ranger", row(57.6, array(12, 12, 12, 3), array(1, 12, 12, 12), 3936));
        found.put("Atlas", row(55.6, array(12, 12, 8), array(1, 12, 12), 1142));
        found.put("Thunderbird", row(40.6, array(16, 12, 23), array(1, 8, 12), 4391));
        found.put("CHiC", row(60.6, array(12, 12, 4), array(1, 12, 12), 528));
        return found;
    }

    private static int[] array(int... numbers) {
        return numbers;
    }

    private static double[] row(double published, int[] children, int[] parents, int hosts) {
        return new double[] {
            published,
            percent(children, parents, hosts, FatTree.Routing.RANDOM),
            percent(children, parents, hosts, FatTree.Routing.DMODK)
        };
    }

    private static double percent(
            int[] children, int[] parents, int hosts, FatTree.Routing routing) {
        FatTree tree = new FatTree(children, parents, routing, 1, hosts);
        return PERCENT * Bisection.of(tree, SPLITS, 1).effective();
    }
}
