package org.madcast.client.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies as text: what is read, and what is said of mistakes. */
class TreeFileTest {

    @Test
    void readsSwitchesCablesHostsAddressesAndRanks() {
        SwitchTree tree =
                TreeFile.parse(
                        "t",
                        """
                        # two switches
                        switch  s[0-1]
                        cable   s0 s1 100Mbit/s  # slow
                        host    n[08-10] s0 2.5gbit
                        host    last s1
                        address n08 10.0.0.1 FE80::1
                        rank    0 last
                        rank    1 n10
                        """);
        assertThat(tree.switches()).isEqualTo(2);
        assertThat(tree.hosts()).isEqualTo(4);
        assertThat(tree.cables())
                .containsExactly(
                        new SwitchTree.Cable(0, 1, 100_000_000),
                        new SwitchTree.Cable(2, 0, 2_500_000_000L),
                        new SwitchTree.Cable(3, 0, 2_500_000_000L),
                        new SwitchTree.Cable(4, 0, 2_500_000_000L),
                        new SwitchTree.Cable(5, 1, 1_000_000_000));
        assertThat(tree.name(2)).isEqualTo("n08");
        assertThat(tree.addresses(2)).containsExactly("10.0.0.1", "fe80::1");
        assertThat(tree.ranks()).containsEntry(0, 5).containsEntry(1, 4).hasSize(2);
        assertThat(tree.path(2, 5)).containsExactly(2, 0, 1, 5);
        assertThat(tree.path(5, 5)).containsExactly(5);
        assertThat(tree.switchOf(5)).isEqualTo(1);
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            SwitchTree tree = RandomTrees.tree(random, 1 + seed % 5, 1 + seed);
            String text = TreeFile.text(tree);
            SwitchTree again = TreeFile.parse("again", text);
            assertThat(TreeFile.text(again)).isEqualTo(text);
            assertThat(again.cables()).hasSameSizeAs(tree.cables());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cable s0 s2           | a cable leads to 's2', which is neither a switch nor a host",
                "host a s7             | a cable leads to 's7', which is neither a switch nor a host",
                "host b n0             | n0 is a host, and b needs a switch",
                "host n0 s1            | n0 is there already, as a host",
                "switch n0             | n0 is there already, as a host",
                "cable s1 s0           | the cable from s1 to s0 closes a cycle: s1 - s0",
                "cable s1 s1           | the cable from s1 to s1 closes a cycle: s1",
                "cable n0 s1           | the host n0 has a cable to s0 already",
                "host a s0 0Mbit/s     | a cable's rate must be above zero",
                "host a s0 fast        | the rate 'fast' is not like 100Mbit/s",
                "host a                | a line like 'host NAME SWITCH [RATE]' is needed",
                "router r              | 'router' is none of switch, cable, host, address and rank",
                "rank 0 n9             | 'n9' is not a host",
                "rank 0 s0             | 's0' is not a host",
                "rank x n0             | the rank 'x' is not a number",
                "rank 99999 n0         | the rank 99999 is outside 0 to 65534",
                "address n1 10.0.0.1   | the address 10.0.0.1 of n1 is there already, for n0",
                "address n9 10.0.0.9   | 'n9' is not a host",
                "switch s[3-1]         | the range '3-1' in 's[3-1]' is empty or too long",
                "switch s[3            | the brackets of 's[3' do not match",
                "switch a/b            | the name 'a/b' has other characters",
            })
    void saysWhichLineIsWrongAndWhy(String line, String complaint) {
        String good = "switch s[0-1]\ncable s0 s1\nhost n[0-1] s0\naddress n0 10.0.0.1\n";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TreeFile.parse("net.topology", good + line))
                .withMessageStartingWith("net.topology, line 5: " + complaint);
    }

    @Test
    void namesTheWholeCycle() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TreeFile.parse(
                                "t", "switch s[0-3]\ncable s0 s[1,2]\ncable s2 s3\ncable s3 s1"))
                .withMessage(
                        "t, line 4: the cable from s3 to s1 closes a cycle: s3 - s2 - s0 - s1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "switch s0|there is no host",
                "# nothing|there is no switch",
                "switch s[0-1];host a s0|no cables lead from s0 to s1",
                "switch s0;host a s0;rank 1 a|the rank 0 is on no host, but the rank 1 is",
            })
    void saysWhatIsMissing(String text, String complaint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TreeFile.parse("t", text.replace(';', '\n')))
                .withMessage("t: " + complaint);
    }

    @Test
    void refusesTheSameRankTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TreeFile.parse("t", "switch s\nhost a s\nhost b s\nrank 0 a\nrank 0 b"))
                .withMessage("t, line 5: the rank 0 is there already, on a");
    }

    @Test
    void readsTheTopologyOfSlurm() {
        String text =
                """
                # as slurmctld reads it
                SwitchName=top Switches=leaf[0-1]
                SwitchName=leaf0 Nodes=n[00-02],login LinkSpeed=100
                switchname=leaf1 nodes=n[03-04]
                """;
        assertThat(SlurmFile.is(text)).isTrue();
        assertThat(SlurmFile.is("switch s0\nhost a s0")).isFalse();
        SwitchTree tree = SlurmFile.parse("topology.conf", text);
        assertThat(tree.switches()).isEqualTo(3);
        assertThat(RankOrder.walk(tree))
                .extracting(tree::name)
                .containsExactly("n00", "n01", "n02", "login", "n03", "n04");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SwitchName=b Switches=c|a cable leads to 'c', which is neither",
                "SwitchName=b Nodes=n0|n0 is there already, as a host",
                "SwitchName=b Ports=3|'Ports=3' is none of SwitchName=, Switches=, Nodes= and LinkSpeed=",
                "Nodes=n7|SwitchName= is missing",
            })
    void saysWhichLineOfSlurmIsWrong(String line, String complaint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlurmFile.parse("t", "SwitchName=a Nodes=n[0-1]\n" + line))
                .withMessageStartingWith("t, line 2: " + complaint);
    }

    @Test
    void expandsListsOfHosts() {
        assertThat(HostList.expand("a,n[1-3,08],r[0-1]x[5-6]"))
                .containsExactly("a", "n1", "n2", "n3", "n08", "r0x5", "r0x6", "r1x5", "r1x6");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a,",
                "n[",
                "n]",
                "n[[1]]",
                "n[a]",
                "n[1-]",
                "n[0-999999999]",
                "n[0-99999]x[0-99]"
            })
    void refusesWhatIsNoListOfHosts(String list) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand(list));
    }

    @ParameterizedTest
    @CsvSource({
        "100Mbit/s, 100000000",
        "1gbit, 1000000000",
        "2.5Gbit/s, 2500000000",
        "64kbit, 64000",
        "1tbit, 1000000000000"
    })
    void readsRates(String text, long bitsPerSecond) {
        assertThat(TreeFile.rate(text)).isEqualTo(bitsPerSecond);
    }
}
