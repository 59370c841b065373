package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code madcast topology}, run inside of the test. */
class TopologyCommandTest {

    private static final String STAR =
            """
            switch s[0-3]
            cable s0 s[1-3] 100mbit
            host h[0-3] s1
            host h[4-7] s2
            host h[8-11] s3 2.5gbit
            """;

    @TempDir private Path directory;

    private Outcome run(String text, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("net.topology"), text);
        String[] all = new String[arguments.length + 2];
        all[0] = "topology";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 1] = file.toString();
        return Outcome.of(all);
    }

    private static void assertFitsTerminal(Outcome outcome) {
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void showDrawsSwitchesHostsAndRates() throws IOException {
        Outcome shown = run(STAR + "rank 0 h4\nrank 1 h4\nrank 2 h9\n", "show");
        assertFitsTerminal(shown);
        assertThat(shown.out())
                .isEqualTo(
                        """
                        4 switches, 12 hosts, 3 ranks
                        s0
                        +- s1  100mbit
                        |     1gbit: h0 h1 h2 h3
                        +- s2  100mbit
                        |     1gbit: h4[0,1] h5 h6 h7
                        +- s3  100mbit
                              2.5gbit: h8 h9[2] h10 h11
                        """);
    }

    @Test
    void aLargeTreeFitsTheTerminal() throws IOException {
        String large =
                """
                switch s[0-40]
                cable s0 s[1-40] 10gbit
                host node-with-a-long-name-[0-99] s0
                host n[0-799] s7
                """;
        assertFitsTerminal(run(large, "show"));
        assertFitsTerminal(run(large, "order"));
        assertFitsTerminal(run(large, "routine", "--algorithm", "binary"));
    }

    /** Ranks that alternate between three switches use a trunk four times, in order once. */
    @Test
    void orderComparesTheTreesWithThoseOfTheNumbers() throws IOException {
        StringBuilder ranks = new StringBuilder();
        for (int rank = 0; rank < 12; rank++) {
            ranks.append("rank ")
                    .append(rank)
                    .append(" h")
                    .append(rank * 4 % 12 + rank / 3)
                    .append('\n');
        }
        Outcome order = run(STAR + ranks, "order");
        assertFitsTerminal(order);
        assertThat(order.out()).startsWith("0@h0 3@h1 6@h2 9@h3 1@h4 4@h5");
        assertThat(order.out()).containsPattern("chain +numbers +4 +335.5 ms +11\n");
        assertThat(order.out()).containsPattern("chain +switches +1 +83.9 ms +11\n");
        assertThat(order.out()).containsPattern("binary +switches +1 ");
        assertThat(run(STAR + ranks, "order", "--hosts", "--root", "1").out())
                .startsWith("h4\nh5\nh6\nh7\nh8\n")
                .endsWith("h2\nh3\n");
    }

    @Test
    void routinePrintsWhoSendsToWhomAndWhatCrossesTheTrunks() throws IOException {
        Outcome routine = run(STAR, "routine", "--root", "5");
        assertFitsTerminal(routine);
        assertThat(routine.out())
                .contains("rank  host  from  to  step\n   5  h5       -   6     0\n")
                .contains("   4  h4       3   -    11\n")
                .contains("+- s2  100mbit >3-4 <7-8\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "show       | switch s0 | net.topology: there is no host",
                "order      | host a b  | net.topology, line 1: a cable leads to",
                "routine    | rank 0 h7 | net.topology, line 1: ",
            })
    void badFilesAreRefusedInOneLine(String command, String text, String complaint)
            throws IOException {
        Outcome refused = run(text, command);
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains(complaint);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void bisectionOfFilesAndOfGeneratedNetworks() throws IOException {
        Outcome ofFile = run(STAR, "bisection", "--splits", "20");
        assertFitsTerminal(ofFile);
        assertThat(ofFile.out())
                .startsWith("tree of 4 switches\neffective bisection bandwidth ")
                .contains(" of 12 hosts, 20 splits, seed 1\n");
        Outcome ofFatTree =
                Outcome.of("topology", "bisection", "--xgft", "16,24/1,8", "--splits", "50");
        assertFitsTerminal(ofFatTree);
        assertThat(ofFatTree.out()).contains("children [16, 24], parents [1, 8], routing dmodk");
        assertFitsTerminal(
                Outcome.of("topology", "bisection", "--kary", "4,2", "--routing", "ecmp"));
        assertFitsTerminal(Outcome.of("topology", "bisection", "--leaf-spine", "4,4,2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kary 4,2 --xgft 4/1 | one of FILE, --kary, --leaf-spine and --xgft is needed",
                "--kary 4              | --kary needs 2 numbers from 1 to 999999 with commas between",
                "--kary 4,0            | --kary needs 2 numbers",
                "--kary 999999,3       | and the tree is not too large",
                "--leaf-spine 4,x,2    | --leaf-spine needs 3 numbers",
                "--xgft 4,4            | --xgft must look like 12,8/1,6, not '4,4'",
                "--kary 4,2 --splits 0 | --splits must be 1 to 1000000, not 0",
                "--kary 4,2 --hosts 17 | the fat tree has room for 16 hosts, not for 17",
                "--kary 1,1            | one host has no partner",
            })
    void bisectionRefusesWhatIsNoNetwork(String options, String complaint) {
        Outcome refused = Outcome.of(("topology bisection " + options).split(" "));
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains(complaint);
    }

    private String lldp(String node, String... interfaces) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String each : interfaces) {
            String[] words = each.split(" ", -1);
            text.append(
                    "lldp.%s.via=LLDP\nlldp.%s.chassis.name=%s\n"
                            .formatted(words[0], words[0], words[1]));
            text.append("lldp.%s.chassis.Bridge.enabled=%s\n".formatted(words[0], words[2]));
            text.append("lldp.%s.port.auto-negotiation.current=%s\n".formatted(words[0], words[3]));
        }
        return Files.writeString(directory.resolve(node), text).toString();
    }

    /** Two switches with two cables between them; one host is known from its switch only. */
    @Test
    void lldpBecomesATopology() throws IOException {
        String first = lldp("n1", "eth0 s1 on 1000BaseTFD");
        String second = lldp("n2", "eth0 s2 on 10GigBaseX");
        String ofSwitch =
                lldp(
                        "s1",
                        "swp1 n1 off 1000BaseTFD",
                        "swp2 n3 off 100BaseTXFD",
                        "swp8 s2 on 10GigBaseX",
                        "swp9 s2 on 10GigBaseX");
        Outcome made = Outcome.of("topology", "lldp", first, second, ofSwitch);
        assertThat(made.err()).isEmpty();
        assertThat(made.out())
                .isEqualTo(
                        """
                        switch s1
                        switch s2
                        cable s1 s2 20000000000bit/s
                        host n1 s1 1000000000bit/s
                        host n2 s2 10000000000bit/s
                        host n3 s1 100000000bit/s
                        """);
        assertThat(run(made.out(), "show").out()).startsWith("2 switches, 3 hosts, 0 ranks");
    }

    @Test
    void lldpThatIsNoTreeIsRefused() throws IOException {
        String one = lldp("s1", "p1 s2 on 10GigBaseX", "p2 s3 on 10GigBaseX", "p3 n1 off -");
        String two = lldp("s2", "p1 s3 on 10GigBaseX");
        Outcome cycle = Outcome.of("topology", "lldp", one, two);
        assertThat(cycle.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(cycle.err()).contains("the neighbours form no tree").contains("closes a cycle");
        String other = Files.writeString(directory.resolve("n9"), "Interface: eth0\n").toString();
        assertThat(Outcome.of("topology", "lldp", other).err())
                .contains("n9, line 1: 'Interface: eth0'");
        assertThat(Outcome.of("topology", "lldp", lldp("n8")).err())
                .contains("n8 has no neighbour");
        assertThat(Outcome.of("topology", "lldp", directory + "/n7").err())
                .contains("n7 cannot be read: it does not exist");
    }

    @Test
    void aRootThatIsNoRankIsRefused() throws IOException {
        assertThat(run(STAR, "order", "--root", "12").err())
                .contains("--root must be 0 to 11, not 12");
        assertThat(Outcome.of("topology", "show", directory + "/none").err())
                .contains("none is missing, or no file");
    }
}
