package org.madcast.agent.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.agent.topology.FatTree.Routing;
import org.madcast.client.topology.TreeFile;

/** Seed 004, part II, sections 4 and 5: effective bisection bandwidth. */
class BisectionTest {

    private static int[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    private static double effective(
            String children, String parents, int hosts, Routing routing, int splits) {
        FatTree tree = new FatTree(numbers(children), numbers(parents), routing, 7, hosts);
        return Bisection.of(tree, splits, 1).effective();
    }

    /** Figure II.18: 16 hosts on crossbars of 8 ports, and the pattern of section 4.2.2. */
    @Test
    void theExampleOfTheThesisHasItsCongestion() {
        FatTree tree = new FatTree(new int[] {4, 4}, new int[] {1, 4}, Routing.DMODK, 0);
        int[] pattern = {1, 2, 3, 4, 7, 10, 12, 15, 5, 9, 13, 6, 8, 11, 14, 16};
        double[] shares = new double[8];
        Bisection.shares(tree, Arrays.stream(pattern).map(host -> host - 1).toArray(), 0, shares);
        assertThat(Arrays.stream(shares).map(share -> 1 / share))
                .containsExactly(3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0);
    }

    /** Table II.24: networks of one recursion, of crossbars with 24 and 32 ports. */
    @ParameterizedTest
    @CsvSource({
        "16 24, 1 8,  0.581",
        "18 24, 1 6,  0.455",
        "16 32, 1 16, 0.812",
        "21 32, 1 11, 0.583",
        "24 32, 1 8,  0.443",
    })
    void generatedFatTreesHaveTheBandwidthOfTheThesis(
            String children, String parents, double published) {
        assertThat(effective(children, parents, 0, Routing.DMODK, 300))
                .isCloseTo(published, within(0.004));
    }

    /**
     * The same table's forwarding index: how many of all routes go over a cable between switches.
     */
    @ParameterizedTest
    @CsvSource({"16 24, 1 8, 736", "18 24, 1 6, 1242", "16 32, 1 16, 496"})
    void theBestTableUsesAllCablesAlike(String children, String parents, int index) {
        FatTree tree = new FatTree(numbers(children), numbers(parents), Routing.DMODK, 0);
        int[] uses = new int[tree.links()];
        int[] route = new int[tree.longestRoute()];
        for (int from = 0; from < tree.hosts(); from++) {
            for (int to = 0; to < tree.hosts(); to++) {
                int length = from == to ? 0 : tree.route(from, to, 0, route);
                for (int i = 0; i < length; i++) {
                    uses[route[i]]++;
                }
            }
        }
        assertThat(Arrays.stream(uses, 2 * tree.hosts(), uses.length).distinct())
                .containsExactly(index);
        assertThat(Arrays.stream(uses, 0, 2 * tree.hosts()).distinct())
                .containsExactly(tree.hosts() - 1);
    }

    /**
     * The clusters that the thesis simulated with the forwarding tables that their subnet managers
     * had made. Hosts, crossbars of 24 ports and their number are published (CHiC: 44 leaves below
     * two switches of 288 ports; Atlas: 96 below four; Thunderbird: 275 with 16 hosts and 8 cables
     * up below eight; Ranger: leaves of 12 below two of 3456 ports); the tables are not. So the
     * published number must be between that of random tables and that of the best ones.
     */
    @ParameterizedTest
    @CsvSource({
        "Ranger,      12 12 12 3, 1 12 12 12, 3936, 0.576, 0.06",
        "Atlas,       12 12 8,    1 12 12,    1142, 0.556, 0.02",
        "Thunderbird, 16 12 23,   1 8 12,     4391, 0.406, 0.02",
        "CHiC,        12 12 4,    1 12 12,    528,  0.606, 0.02",
    })
    void theClustersOfTheThesisAreBetweenRandomAndBestTables(
            String name,
            String children,
            String parents,
            int hosts,
            double published,
            double near) {
        double random = effective(children, parents, hosts, Routing.RANDOM, 40);
        double best = effective(children, parents, hosts, Routing.DMODK, 40);
        assertThat(random).isCloseTo(published, within(near));
        assertThat(published).isBetween(random - 0.02, best);
    }

    @Test
    void spanningTreesAreWorstAndOneSwitchDisturbsNobody() {
        double tree = effective("16 8", "1 4", 0, Routing.TREE, 50);
        double ecmp = effective("16 8", "1 4", 0, Routing.ECMP, 50);
        double best = effective("16 8", "1 4", 0, Routing.DMODK, 50);
        assertThat(tree).isLessThan(0.6 * ecmp);
        assertThat(ecmp).isLessThan(best);
        assertThat(effective("64", "1", 0, Routing.ECMP, 10)).isEqualTo(1);
        assertThat(Bisection.of(FatTree.kary(64, 1, Routing.RANDOM, 1, 0), 10, 1).worst())
                .isEqualTo(1);
    }

    /** Half of the messages want to cross the trunk, which carries a quarter of a host's rate. */
    @Test
    void aFileWithASlowTrunkIsALotWorseThanWithAFastOne() {
        String text = "switch s[0-1]\ncable s0 s1 %s\nhost a[0-7] s0 1gbit\nhost b[0-7] s1 1gbit\n";
        double slow = bandwidth(text.formatted("250mbit"));
        double fast = bandwidth(text.formatted("100gbit"));
        assertThat(fast).isEqualTo(1);
        assertThat(slow).isBetween(0.4, 0.65);
    }

    private static double bandwidth(String text) {
        return Bisection.of(new TreeFabric(TreeFile.parse("t", text)), 200, 3).effective();
    }

    @Test
    void routesOfAFatTreeClimbAndFallOnLinksOfTheirOwn() {
        for (Routing routing : Routing.values()) {
            FatTree tree = FatTree.kary(3, 3, routing, 5, 0);
            int[] route = new int[tree.longestRoute()];
            assertThat(tree.route(0, 1, 0, route)).isEqualTo(2);
            assertThat(tree.route(0, 3, 0, route)).isEqualTo(4);
            assertThat(tree.route(0, 26, 0, route)).isEqualTo(6);
            assertThat(IntStream.of(route).distinct().count()).isEqualTo(6);
            assertThat(IntStream.of(route)).allMatch(link -> link >= 0 && link < tree.links());
            assertThat(IntStream.of(route).filter(link -> link % 2 == 0).count()).isEqualTo(3);
        }
    }

    @Test
    void theSameSeedLeadsToTheSameResult() {
        FatTree tree = FatTree.leafSpine(4, 8, 3, Routing.RANDOM, 9, 30);
        assertThat(tree.hosts()).isEqualTo(30);
        Bisection one = Bisection.of(tree, 20, 4);
        assertThat(Bisection.of(tree, 20, 4).effective()).isEqualTo(one.effective());
        assertThat(Bisection.of(tree, 20, 5).effective()).isNotEqualTo(one.effective());
        assertThat(one.quantile(0)).isLessThanOrEqualTo(one.quantile(0.5));
        assertThat(one.worst()).isLessThanOrEqualTo(one.best());
    }

    @Test
    void whatIsNoFatTreeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FatTree(new int[] {2}, new int[] {1, 2}, Routing.TREE, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FatTree(new int[] {0}, new int[] {1}, Routing.TREE, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FatTree.kary(100, 10, Routing.TREE, 0, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FatTree.kary(4, 2, Routing.TREE, 0, 17))
                .withMessage("the fat tree has room for 16 hosts, not for 17");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bisection.of(FatTree.kary(1, 1, Routing.TREE, 0, 0), 1, 1))
                .withMessage("one host has no partner");
    }
}
