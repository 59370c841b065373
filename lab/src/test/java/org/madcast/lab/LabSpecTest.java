package org.madcast.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a spec accepts, and what is written down of it. */
class LabSpecTest {

    @Test
    void refusesWhatCannotBeBuiltAndNamesTheValue() {
        refuses("0", spec -> spec.hosts(0));
        refuses("65", spec -> spec.hosts(65));
        refuses("-0.1", spec -> spec.lossPercent(-0.1));
        refuses("100.5", spec -> spec.lossPercent(100.5));
        refuses("NaN", spec -> spec.lossPercent(Double.NaN));
        refuses("0", spec -> spec.switches(0));
        refuses("3", spec -> spec.hosts(2).switches(3));
        refuses("1279", spec -> spec.mtuBytes(1279));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Lab", "1lab", "lab-1", "../x", "averylongname", "a b"})
    void refusesNamesThatAreNotShortWords(String name) {
        refuses(name, spec -> spec.name(name));
    }

    @Test
    void derivesAnotherNameForEveryLab() {
        assertThat(LabSpec.ofHosts(2).name()).isNotEqualTo(LabSpec.ofHosts(2).name());
    }

    @ParameterizedTest
    @CsvSource({
        "100mbit,100000000,100mbit",
        "1gbit,1000000000,1gbit",
        "1000Mbit,1000000000,1gbit",
        "500Mbit/s,500000000,500mbit",
        "64kbit,64000,64kbit",
        "1 gbit,1000000000,1gbit",
        "2.5Gbit,2500000000,2500mbit",
        "64000,64000,64kbit",
        "9601bit,9601,9601bit"
    })
    void readsAndWritesRates(String text, long bitsPerSecond, String shortest) {
        assertThat(LinkRate.parse(text).bitsPerSecond()).isEqualTo(bitsPerSecond);
        assertThat(LinkRate.parse(text)).hasToString(shortest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "100", "fast", "-1mbit", "1bit", "999999999999gbit"})
    void refusesWhatIsNoRate(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> LinkRate.parse(text));
    }

    @Test
    void burstsGrowWithTheRateSoThatTheShaperKeepsUp() {
        assertThat(LinkRate.parse("100mbit").burstBytes()).isEqualTo(32 * 1024);
        assertThat(LinkRate.parse("10gbit").burstBytes()).isEqualTo(312_500);
    }

    @Test
    void whatIsWrittenDownReadsBackEqual() {
        LabSpec spec =
                LabSpec.builder()
                        .name("written")
                        .hosts(5)
                        .switches(3)
                        .rate("100mbit")
                        .lossPercent(0.25)
                        .mtuBytes(9000)
                        .superframes(true)
                        .detached(true)
                        .build();
        LabState state = new LabState(spec, new Subnet(7), new LabOwner(123, 456));
        assertThat(LabState.read(state.write())).isEqualTo(state);
        LabState plain = new LabState(LabSpec.ofHosts(1), new Subnet(1), LabOwner.self());
        assertThat(LabState.read(plain.write())).isEqualTo(plain);
    }

    @Test
    void stateThatIsNotWholeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LabState.read("name=x\n"))
                .withMessageContaining("hosts");
    }

    @Test
    void hostsAreSpreadInBlocks() {
        LabSpec spec = LabSpec.builder().hosts(5).switches(3).build();
        LabState state = new LabState(spec, new Subnet(1), LabOwner.self());
        assertThat(state.switchOf(0)).isEqualTo(0);
        assertThat(state.switchOf(1)).isEqualTo(0);
        assertThat(state.switchOf(2)).isEqualTo(1);
        assertThat(state.switchOf(3)).isEqualTo(1);
        assertThat(state.switchOf(4)).isEqualTo(2);
    }

    @Test
    void anyTreeOfSwitchesReadsBackEqual() {
        Optional<LinkRate> slow = LinkRate.parseLimit("10mbit");
        LabTree tree =
                new LabTree(
                        List.of(new LabTree.Link(0, slow), new LabTree.Link(1, Optional.empty())),
                        List.of(
                                new LabTree.Link(2, slow),
                                new LabTree.Link(0, Optional.empty()),
                                new LabTree.Link(2, slow)));
        LabSpec spec = LabSpec.builder().tree(tree).build();
        assertThat(spec.hosts()).isEqualTo(3);
        assertThat(spec.switches()).isEqualTo(3);
        LabState state = new LabState(spec, new Subnet(1), LabOwner.self());
        assertThat(LabState.read(state.write())).isEqualTo(state);
        assertThat(state.switchOf(0)).isEqualTo(2);
        Wiring wiring = new Wiring(state);
        assertThat(wiring.switches())
                .contains("link set d2 master br1 up", "link set p0 master br2");
        assertThat(wiring.switchRates().lines().map(line -> line.split(" ", -1)[3]))
                .containsExactly("u1", "d1", "p0", "p2");
    }

    @Test
    void treesThatAreNoneAreRefused() {
        LabTree.Link toItself = new LabTree.Link(1, Optional.empty());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LabTree(List.of(toItself), List.of()))
                .withMessage("the cable of switch 1 leads to switch 1, not to one of 0 to 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LabTree(List.of(), List.of(toItself)))
                .withMessage("the cable of host 0 leads to switch 1, not to one of 0 to 0");
        LabTree one = new LabTree(List.of(), List.of(new LabTree.Link(0, Optional.empty())));
        refuses("2 hosts and 1 switches", spec -> spec.tree(one).hosts(2));
        assertThatIllegalArgumentException().isThrownBy(() -> LabTree.read("0@none"));
        assertThatIllegalArgumentException().isThrownBy(() -> LabTree.read("0/0@none"));
    }

    private static void refuses(String value, UnaryOperator<LabSpec.Builder> change) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> change.apply(LabSpec.builder()).build())
                .withMessageContaining(value);
    }
}
