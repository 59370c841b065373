package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.madcast.agent.probe.Aspect.Kind;
import org.madcast.agent.probe.Finding.Trouble;
import org.madcast.agent.probe.PairSet.Pair;
import org.madcast.agent.probe.ProbeResult.RateStep;
import org.madcast.agent.probe.ProbeResult.Tried;
import org.madcast.agent.probe.ProbeResult.Watch;

/** What is wrong, from what was seen: each trouble made by hand in a network that is well. */
class DiagnosisTest {

    private static final int POINTS = 4;
    private static final int LARGEST = 1472;

    private final ProbeMatrix matrix = new ProbeMatrix(POINTS);
    private final List<ProbeFacts> facts = new ArrayList<>();
    private final List<Long> overflowed = new ArrayList<>(Collections.nCopies(POINTS, 0L));
    private final List<RateStep> steps = new ArrayList<>();
    private Optional<Watch> watch = Optional.empty();

    DiagnosisTest() {
        for (int i = 0; i < POINTS; i++) {
            facts.add(facts(i, "eth0", 4 << 20));
        }
        lose(_ -> false, _ -> false);
        steps.add(step(10, 10, 10, 10));
        steps.add(step(50, 50, 50, 50));
        steps.add(step(100, 92, 92, 92));
    }

    private static ProbeFacts facts(int point, String device, long bufferBytes) {
        return facts(point, device, bufferBytes, "cubic");
    }

    private static ProbeFacts facts(
            int point, String device, long bufferBytes, String congestionControl) {
        return new ProbeFacts(
                "h" + point,
                device,
                "eth0",
                InetAddress.getLoopbackAddress(),
                1,
                1500,
                bufferBytes,
                true,
                congestionControl);
    }

    private static RateStep step(long megabits, double... arrived) {
        List<Double> rates = new ArrayList<>(List.of(0.0));
        List<Double> shares = new ArrayList<>(List.of(0.0));
        for (double rate : arrived) {
            rates.add(rate * 1e6);
            shares.add(1.0);
        }
        return new RateStep(megabits * 1_000_000, rates, shares);
    }

    /** Everything passes but for these aspects between these pairs. */
    private void lose(Predicate<Aspect> aspects, Predicate<Pair> pairs) {
        List<Aspect> all = new ArrayList<>(Aspect.ofMulticast(LARGEST));
        all.add(Aspect.UNICAST);
        for (Pair pair : PairSet.all(POINTS)) {
            for (Aspect aspect : all) {
                boolean lost = aspects.test(aspect) && pairs.test(pair);
                matrix.set(aspect, pair.sender(), pair.receiver(), lost ? 0 : 1);
            }
        }
    }

    private Finding only() {
        List<Finding> findings = diagnose();
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    private List<Finding> diagnose() {
        return Diagnosis.of(
                new ProbeResult(
                        new Tried("239.192.0.1:5000", 1),
                        facts,
                        matrix,
                        steps,
                        overflowed,
                        Map.of(),
                        Duration.ofSeconds(9),
                        watch));
    }

    private static boolean isMulticast(Aspect aspect) {
        return aspect.kind() != Kind.UNICAST;
    }

    @Test
    void nothingIsWrongWhereEverythingPasses() {
        assertThat(diagnose()).isEmpty();
    }

    @Test
    void aGroupThatDoesNotPassWhileOthersDoIsBlocked() {
        lose(
                aspect -> isMulticast(aspect) && aspect.kind() != Kind.OTHER_GROUP,
                pair -> pair.receiver() == 2);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.BLOCKED_GROUP);
        assertThat(finding.nodes()).containsExactly("h2");
        assertThat(finding.what()).contains("239.192.0.1:5000").contains("to h2");
    }

    @Test
    void aTtlThatWouldDoIsNamed() {
        lose(
                aspect ->
                        isMulticast(aspect) && !(aspect.kind() == Kind.TTL && aspect.value() >= 4),
                pair -> pair.receiver() == 3 || pair.sender() == 3);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.TTL_TOO_SMALL);
        assertThat(finding.what()).contains("to h3, from h3");
        assertThat(finding.cure()).contains("MADCAST_TTL=4");
    }

    @Test
    void largeDatagramsThatDoNotPassAreAPortsFault() {
        lose(
                aspect -> aspect.kind() == Kind.SIZE && aspect.value() > 1280,
                pair -> pair.receiver() == 1);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.LARGE_DATAGRAMS);
        assertThat(finding.nodes()).containsExactly("h1");
        assertThat(finding.cure()).contains("MADCAST_DATAGRAM_SIZE=1280");
    }

    @Test
    void whoHearsNobodyButIsHeardIsAsymmetric() {
        lose(DiagnosisTest::isMulticast, pair -> pair.receiver() == 2);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.ASYMMETRIC);
        assertThat(finding.what()).contains("h2 hears no multicast");
    }

    @Test
    void whoIsHeardByNobodyButHearsIsAsymmetric() {
        lose(DiagnosisTest::isMulticast, pair -> pair.sender() == 2);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.ASYMMETRIC);
        assertThat(finding.what()).contains("h2 reaches no node");
    }

    @Test
    void whoNeitherHearsNorIsHeardHasNoMulticast() {
        lose(DiagnosisTest::isMulticast, pair -> pair.sender() == 2 || pair.receiver() == 2);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.NO_MULTICAST);
        assertThat(finding.nodes()).containsExactly("h2");
    }

    @Test
    void twoIslandsAreTold() {
        lose(DiagnosisTest::isMulticast, pair -> (pair.sender() < 2) != (pair.receiver() < 2));
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.NO_MULTICAST);
        assertThat(finding.what()).contains("from h0 to h2").doesNotContain("from h0 to h1");
        assertThat(finding.cure()).contains("trunks");
    }

    @Test
    void noMulticastAtAllIsOneFinding() {
        lose(DiagnosisTest::isMulticast, _ -> true);
        assertThat(only().trouble()).isEqualTo(Trouble.NO_MULTICAST);
    }

    @Test
    void neitherMulticastNorUnicastIsAFirewall() {
        lose(_ -> true, pair -> pair.receiver() == 1);
        assertThat(only().trouble()).isEqualTo(Trouble.NO_DATAGRAMS);
    }

    @Test
    void anotherInterfaceThatHearsNobodyIsTheWrongOne() {
        facts.set(2, facts(2, "dummy0", 4 << 20));
        lose(_ -> true, pair -> pair.sender() == 2 || pair.receiver() == 2);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.WRONG_INTERFACE);
        assertThat(finding.cure()).contains("--interface eth0");
    }

    @Test
    void anotherInterfaceThatWorksIsNobodysFault() {
        facts.set(2, facts(2, "eth1", 4 << 20));
        assertThat(diagnose()).isEmpty();
    }

    @Test
    void aSmallReceiveBufferIsNamedWithWhatItCost() {
        facts.set(3, facts(3, "eth0", 212_992));
        overflowed.set(3, 17L);
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.SMALL_BUFFER);
        assertThat(finding.what()).contains("208 KiB").contains("17 datagrams");
        assertThat(finding.cure()).contains("net.core.rmem_max");
    }

    @Test
    void aNodeWhoseTcpPacesIsNamedWithTheCure() {
        facts.set(2, facts(2, "eth0", 4 << 20, "bbr"));
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.PACED_TCP);
        assertThat(finding.nodes()).containsExactly("h2");
        assertThat(finding.what()).startsWith("h2 uses the TCP congestion control bbr,");
        assertThat(finding.cure())
                .isEqualTo(
                        "on it: sysctl -w net.ipv4.tcp_congestion_control=cubic, and the same"
                                + " setting in /etc/sysctl.d/60-madcast.conf");
    }

    @Test
    void nodesOfOneCongestionControlAreOneFinding() {
        facts.set(0, facts(0, "eth0", 4 << 20, "bbr"));
        facts.set(1, facts(1, "eth0", 4 << 20, "bbr2"));
        facts.set(3, facts(3, "eth0", 4 << 20, "bbr"));
        List<Finding> findings = diagnose();
        assertThat(findings)
                .extracting(Finding::trouble)
                .containsExactly(Trouble.PACED_TCP, Trouble.PACED_TCP);
        assertThat(findings)
                .extracting(Finding::nodes)
                .containsExactly(List.of("h0", "h3"), List.of("h1"));
        assertThat(findings.getFirst().what())
                .startsWith("h0, h3 use the TCP congestion control bbr,");
        assertThat(findings.getFirst().cure()).startsWith("on each of them: sysctl");
        assertThat(findings.getLast().what())
                .startsWith("h1 uses the TCP congestion control bbr2,");
    }

    @Test
    void congestionControlsThatDoNotPaceOrAreUnknownAreNoTrouble() {
        facts.set(1, facts(1, "eth0", 4 << 20, "reno"));
        facts.set(2, facts(2, "eth0", 4 << 20, ""));
        assertThat(diagnose()).isEmpty();
    }

    @Test
    void whoTakesInLessThanOthersIsSlow() {
        steps.set(1, step(50, 50, 9.6, 50));
        steps.set(2, step(100, 92, 9.6, 92));
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.SLOW_RECEIVER);
        assertThat(finding.nodes()).containsExactly("h2");
        assertThat(finding.what()).contains("9.60 Mbit/s").contains("its link is slow");
    }

    @Test
    void aNetworkThatCarriesLittleHasNoSlowReceiver() {
        steps.subList(1, 3).clear();
        steps.add(step(20, 11, 11, 11));
        assertThat(diagnose()).isEmpty();
    }

    @Test
    void lossIsTold() {
        RateStep full = steps.getLast();
        steps.set(
                2,
                new RateStep(
                        full.offeredBitsPerSecond(), full.arrived(), List.of(0.0, 1.0, 0.97, 1.0)));
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.LOSS);
        assertThat(finding.what()).contains("h2 loses 3.0 %");
    }

    @Test
    void aGroupThatStopsMeansThatNobodyQueries() {
        Duration lately = Duration.ofMillis(300);
        Duration long_ = Duration.ofSeconds(100);
        watch =
                Optional.of(
                        new Watch(Duration.ofMinutes(6), List.of(lately, long_, long_, lately)));
        Finding finding = only();
        assertThat(finding.trouble()).isEqualTo(Trouble.NO_QUERIER);
        assertThat(finding.nodes()).containsExactly("h1", "h2");
        assertThat(finding.what()).contains("260 s").contains("no IGMP query");
    }

    @Test
    void twoTroublesAreBothFound() {
        facts.set(3, facts(3, "eth0", 212_992));
        lose(DiagnosisTest::isMulticast, pair -> pair.receiver() == 2);
        assertThat(diagnose())
                .extracting(Finding::trouble)
                .containsExactly(Trouble.ASYMMETRIC, Trouble.SMALL_BUFFER);
    }
}
