package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.Outcome;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.HostCounters;
import org.madcast.lab.LabSpec;
import org.madcast.lab.LabTree;
import org.madcast.lab.LinkRate;

/**
 * A topology that an operator pushes to the service, with real ranks on two switches, in the lab:
 * ranks that meet there afterwards send along its cables.
 *
 * <p>In which order a chain goes is seen from outside: of a broadcast its last rank sends on
 * nothing, and it is the one before the root in the circle that the chain walks.
 */
class KeptTopologyIT {

    private static final int RANKS = 4;
    private static final int BYTES = 256 * 1024;
    private static final int FEW = 3;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Optional<LinkRate> CABLE = Optional.of(LinkRate.parse("100mbit"));
    private static final Optional<LinkRate> TRUNK = Optional.of(LinkRate.parse("50mbit"));

    private static final List<Integer> BY_NUMBERS = List.of(0, 1, 2, 3);
    private static final List<Integer> BY_CABLES = List.of(0, 2, 1, 3);

    @TempDir private static Path directory;
    private static ServedLab served;

    @BeforeAll
    static void start() throws Exception {
        NeedsLab.assumeAvailable();
        List<LabTree.Link> hosts =
                IntStream.range(0, RANKS)
                        .mapToObj(host -> new LabTree.Link(host % 2, CABLE))
                        .toList();
        LabTree tree = new LabTree(List.of(new LabTree.Link(0, TRUNK)), hosts);
        LabSpec lab = LabSpec.builder().tree(tree).rate("100mbit").build();
        served = ServedLab.start(lab, directory);
    }

    @AfterAll
    static void end() {
        if (served != null) {
            served.close();
        }
    }

    /** The lab, as its operator writes it down; the hosts are known by their addresses. */
    private static Path file() throws Exception {
        StringBuilder text = new StringBuilder("switch s[0-1]\ncable s0 s1 50mbit\n");
        for (int host = 0; host < RANKS; host++) {
            String address = served.lab().host(host).address().getHostAddress();
            text.append("host n%d s%d 100mbit\n".formatted(host, host % 2));
            text.append("address n%d %s\n".formatted(host, address));
        }
        return Files.writeString(directory.resolve("net.topology"), text);
    }

    private static void topology(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("topology"));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--service", served.service().toString()));
        words.addAll(List.of("--token", served.operatorToken()));
        Outcome said = Outcome.of(words.toArray(String[]::new));
        assertThat(said.code()).as(said.err()).isZero();
    }

    private static FaultJob start(String name) throws Exception {
        Map<String, String> variables = served.variables(name);
        variables.put("MADCAST_ALGORITHM", "chain");
        return FaultJob.start(served.lab(), RANKS, variables);
    }

    /** The ranks in the order in which a chain goes from one to the next, from rank 0 on. */
    private static List<Integer> circle(FaultJob job) throws Exception {
        int[] after = new int[RANKS];
        for (int root = 0; root < RANKS; root++) {
            after[last(job, root)] = root;
        }
        return IntStream.iterate(0, rank -> after[rank]).limit(RANKS).boxed().toList();
    }

    /** The rank that sends on nothing of what a root broadcasts. */
    private static int last(FaultJob job, int root) throws Exception {
        List<HostCounters> before = counters();
        Faults.assertAllRight(job.run(FEW, BYTES, root, LIMIT), RANKS);
        List<HostCounters> now = counters();
        List<Long> sent =
                IntStream.range(0, RANKS)
                        .mapToObj(rank -> now.get(rank).since(before.get(rank)).sentBytes())
                        .toList();
        List<Integer> fewestFirst =
                IntStream.range(0, RANKS).boxed().sorted(Comparator.comparing(sent::get)).toList();
        assertThat(sent.get(fewestFirst.get(0))).as("sent %s", sent).isLessThan(BYTES);
        assertThat(sent.get(fewestFirst.get(1))).as("sent %s", sent).isGreaterThan(FEW * BYTES);
        return fewestFirst.get(0);
    }

    private static List<HostCounters> counters() {
        return IntStream.range(0, RANKS).mapToObj(served.lab()::counters).toList();
    }

    @Test
    void ranksThatMeetAfterAPushSendAlongTheCables() throws Exception {
        try (FaultJob earlier = start("earlier")) {
            assertThat(circle(earlier)).isEqualTo(BY_NUMBERS);

            topology("push", "lab", file().toString());
            try (FaultJob later = start("later")) {
                assertThat(circle(later)).isEqualTo(BY_CABLES);
                later.beginCollectives(1, 32 * 1024);
                Faults.assertAllRight(later.await(LIMIT), RANKS);

                topology("remove", "lab");
                assertThat(circle(later)).as("they keep it").isEqualTo(BY_CABLES);
            }
            assertThat(circle(earlier)).as("they met before").isEqualTo(BY_NUMBERS);
        }
        try (FaultJob last = start("last")) {
            assertThat(circle(last)).as("it was removed").isEqualTo(BY_NUMBERS);
        }
    }
}
