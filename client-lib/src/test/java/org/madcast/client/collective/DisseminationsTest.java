package org.madcast.client.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.protocol.Dissemination.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.Dissemination;
import org.madcast.client.topology.RankOrder;
import org.madcast.client.topology.SwitchTreeBuilder;

/** Every algorithm as a whole, for all sizes up to 65 and all roots. */
class DisseminationsTest {

    private static final int LARGEST = 65;

    /** What a test asserts of one job. */
    private interface Claim {
        void holds(int root, int size);
    }

    private static void forAllJobs(Claim claim) {
        for (int size = 1; size <= LARGEST; size++) {
            for (int root = 0; root < size; root++) {
                claim.holds(root, size);
            }
        }
    }

    /** What a test asserts of one part of one job's messages. */
    private interface PartClaim {
        void holds(int part, int root, int size);
    }

    /** For fewer sizes when each has many parts. */
    private static void forAllParts(Dissemination way, PartClaim claim) {
        for (int size = 1; size <= LARGEST; size += way.parts(20) > 2 && size > 20 ? 9 : 1) {
            for (int root = 0; root < size; root++) {
                for (int part = 0; part < way.parts(size); part++) {
                    claim.holds(part, root, size);
                }
            }
        }
    }

    private static List<Integer> children(Dissemination way, int rank, int root, int size) {
        return children(way, 0, rank, root, size);
    }

    private static List<Integer> children(
            Dissemination way, int part, int rank, int root, int size) {
        List<Integer> children = new ArrayList<>();
        for (int i = 0; way.child(i, part, rank, root, size) != NONE; i++) {
            children.add(way.child(i, part, rank, root, size));
        }
        return children;
    }

    private static List<Integer> clients(
            Dissemination way, int part, int rank, int root, int size) {
        List<Integer> clients = new ArrayList<>();
        for (int i = 0; way.repairClient(i, part, rank, root, size) != NONE; i++) {
            clients.add(way.repairClient(i, part, rank, root, size));
        }
        return clients;
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void unicastReachesEveryRankOnceAndFromTheRoot(Algorithm algorithm) {
        Dissemination way = Disseminations.of(algorithm);
        if (algorithm == Algorithm.ONCE) {
            forAllJobs((root, size) -> assertThat(children(way, root, root, size)).isEmpty());
            return;
        }
        forAllJobs((root, size) -> {
            for (int part = 0; part < way.parts(size); part++) {
                assertReachesAllOnce(way, part, root, size);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"CHAIN", "BINARY"})
    void alongSwitchesUnicastReachesEveryRankOnceToo(Algorithm algorithm) {
        for (int size = 1; size <= 24; size++) {
            SwitchTreeBuilder tree = new SwitchTreeBuilder().addSwitch("s0");
            List<Integer> hosts = new ArrayList<>();
            for (int i = 1; i < 4; i++) {
                tree.addSwitch("s" + i).addCable("s" + (i - 1), "s" + i, 1);
            }
            for (int rank = 0; rank < size; rank++) {
                tree.addHost("h" + rank, "s" + rank * 7 % 4, 1);
                hosts.add(4 + rank);
            }
            RankOrder order = RankOrder.of(tree.build(), hosts);
            Dissemination way = Disseminations.byCode(order).get(algorithm.code());
            for (int root = 0; root < size; root++) {
                assertReachesAllOnce(way, 0, root, size);
                for (int rank = 0; rank < size; rank++) {
                    for (int child : children(way, rank, root, size)) {
                        assertThat(way.repairSource(0, child, root, size)).isEqualTo(rank);
                    }
                }
            }
        }
        assertThat(Disseminations.byCode(null)).isSameAs(Disseminations.byCode());
    }

    private static void assertReachesAllOnce(Dissemination way, int part, int root, int size) {
        int[] times = new int[size];
        List<Integer> reached = new ArrayList<>(List.of(root));
        for (int i = 0; i < reached.size(); i++) {
            for (int child : children(way, part, reached.get(i), root, size)) {
                times[child]++;
                reached.add(child);
            }
            assertThat(reached).hasSizeLessThanOrEqualTo(size);
        }
        assertThat(reached).hasSize(size);
        assertThat(times[root]).isZero();
        assertThat(Arrays.stream(times).max().orElseThrow()).isLessThanOrEqualTo(1);
    }

    /** What a rank sends of a message of as many fragments as there are parts. */
    private static int sent(Dissemination way, int rank, int root, int size) {
        int sent = 0;
        for (int part = 0; part < way.parts(size); part++) {
            sent += children(way, part, rank, root, size).size();
        }
        return sent;
    }

    /** The root's link carries the message once; a binary tree's carries it twice. */
    @Test
    void theRootOfASplitTreeSendsEachFragmentOnce() {
        Dissemination way = Disseminations.of(Algorithm.SPLIT_BINARY);
        forAllJobs((root, size) -> {
            assertThat(sent(way, root, root, size)).isEqualTo(size == 1 ? 0 : 2);
            for (int rank = 0; rank < size; rank++) {
                assertThat(sent(way, rank, root, size)).isLessThanOrEqualTo(3);
            }
        });
    }

    @Test
    void inScatterAndAllgatherEveryRankSendsTheMessageAboutOnce() {
        Dissemination way = Disseminations.of(Algorithm.SCATTER_ALLGATHER);
        forAllJobs((root, size) -> {
            for (int rank = 0; rank < size; rank++) {
                assertThat(sent(way, rank, root, size)).isLessThanOrEqualTo(size);
            }
        });
    }

    /** From each receiver, source by source, the root is reached. */
    @ParameterizedTest
    @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "ONCE")
    void everyRankHasAPathOfRepairsFromTheRoot(Algorithm algorithm) {
        Dissemination way = Disseminations.of(algorithm);
        forAllParts(
                way,
                (part, root, size) -> {
                    for (int rank = 0; rank < size; rank++) {
                        int at = rank;
                        int hops = 0;
                        while (at != root) {
                            at = way.repairSource(part, at, root, size);
                            assertThat(at).isBetween(0, size - 1);
                            assertThat(++hops).isLessThan(size);
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void clientsAreTheInverseOfSources(Algorithm algorithm) {
        Dissemination way = Disseminations.of(algorithm);
        forAllParts(
                way,
                (part, root, size) -> {
                    int clients = 0;
                    for (int rank = 0; rank < size; rank++) {
                        for (int client : clients(way, part, rank, root, size)) {
                            assertThat(way.repairSource(part, client, root, size)).isEqualTo(rank);
                            clients++;
                        }
                    }
                    assertThat(clients).isEqualTo(size - 1);
                });
    }

    /** The root's repairs would queue behind its own data: the receivers ask each other first. */
    @Test
    void overMulticastTheReceiversAreARingWithoutTheRoot() {
        Dissemination way = Disseminations.of(Algorithm.ONCE);
        forAllJobs((root, size) -> {
            if (size < 3) {
                return;
            }
            int at = (root + 1) % size;
            for (int hops = 1; hops < size; hops++) {
                at = way.repairSource(0, at, root, size);
                assertThat(at).isNotEqualTo(root);
                assertThat(at == (root + 1) % size).isEqualTo(hops == size - 1);
            }
        });
    }

    /**
     * Over unicast, ipmc's second stage too, a missing fragment is asked for at the rank that had
     * to send it.
     */
    @ParameterizedTest
    @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "ONCE")
    void overUnicastTheSourceIsTheParent(Algorithm algorithm) {
        Dissemination way = Disseminations.of(algorithm);
        forAllParts(
                way,
                (part, root, size) -> {
                    for (int rank = 0; rank < size; rank++) {
                        assertThat(clients(way, part, rank, root, size))
                                .isEqualTo(children(way, part, rank, root, size));
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void theCodeIsThePlaceInTheListAndSaysWhetherItMulticasts(Algorithm algorithm) {
        Dissemination way = Disseminations.byCode().get(algorithm.code());
        assertThat(way).isSameAs(Disseminations.of(algorithm));
        assertThat(way.multicasts()).isEqualTo(algorithm.usesMulticast());
        assertThat(algorithm.code()).as("four bits on the wire").isBetween(0, 15);
    }

    /** The worked example of the class's own comment. */
    @ParameterizedTest
    @CsvSource({
        "ONCE, ''",
        "IPMC, 0-1 1-2 2-3 3-4",
        "CHAIN, 0-1 1-2 2-3 3-4",
        "LINEAR, 0-1 0-2 0-3 0-4",
        "BINARY, 0-1 0-2 1-3 1-4",
        "BINOMIAL, 0-1 0-2 0-4 1-3"
    })
    void fiveRanksAsInTheWorkedExample(Algorithm algorithm, String edges) {
        assertEdgesOfFive(algorithm, 0, edges);
    }

    @ParameterizedTest
    @CsvSource({
        "SPLIT_BINARY, 0, 0-1 1-3 1-2 3-4",
        "SPLIT_BINARY, 1, 0-2 2-4 2-1 4-3",
        "SCATTER_ALLGATHER, 0, 0-1 1-2 2-3 3-4",
        "SCATTER_ALLGATHER, 3, 0-1 1-3 3-4 4-2"
    })
    void partsOfFiveRanksAsInTheWorkedExample(Algorithm algorithm, int part, String edges) {
        assertEdgesOfFive(algorithm, part, edges);
    }

    private static void assertEdgesOfFive(Algorithm algorithm, int part, String edges) {
        List<String> found = new ArrayList<>();
        for (int rank = 0; rank < 5; rank++) {
            for (int child : children(Disseminations.of(algorithm), part, rank, 0, 5)) {
                found.add(rank + "-" + child);
            }
        }
        assertThat(String.join(" ", found)).isEqualTo(edges);
    }

    @Test
    void noAlgorithmIsWithoutADissemination() {
        assertThat(Disseminations.byCode())
                .hasSameSizeAs(Algorithm.values())
                .doesNotHaveDuplicates();
    }
}
