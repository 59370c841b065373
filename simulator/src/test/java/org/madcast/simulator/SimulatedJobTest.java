package org.madcast.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;

class SimulatedJobTest {

    private static final long MBIT_100 = 100_000_000;
    private static final int KIB_64 = 64 * 1024;
    private static final int MIB = 1 << 20;
    private static final CableModel CABLES = new CableModel(5_000, 512 * 1024, false);
    private static final ProcessorCosts COSTS = new ProcessorCosts(20_000, 2_000, 0.5);

    private static JobNetwork oneSwitch(int ranks) {
        return network(ranks, 1, MBIT_100);
    }

    private static JobNetwork network(int ranks, int switches, long trunkRate) {
        return JobNetwork.uniform(ranks, MBIT_100, switches, trunkRate, false, CABLES);
    }

    private static JobSettings settings(JobNetwork network) {
        return new JobSettings(network, 0, 0, COSTS, 0, 1);
    }

    private static JobSettings lossy(double percent, long skewNs, long seed) {
        return new JobSettings(oneSwitch(12), percent, skewNs, COSTS, 0, seed);
    }

    private static List<Outcome> run(JobSettings settings, Algorithm algorithm, int... sizes) {
        List<Outcome> outcomes = new ArrayList<>();
        try (SimulatedJob job = new SimulatedJob(settings)) {
            for (int bytes : sizes) {
                outcomes.add(job.broadcast(algorithm, bytes));
            }
        }
        return outcomes;
    }

    private static Outcome run(JobNetwork network, Algorithm algorithm, int bytes) {
        return run(settings(network), algorithm, bytes).getFirst();
    }

    @Test
    void theSameSeedGivesTheSameRunAndAnotherOneAnother() {
        int[] sizes = {16, KIB_64, KIB_64};
        List<Outcome> first = run(lossy(2, 1_000_000, 7), Algorithm.ONCE, sizes);
        assertThat(run(lossy(2, 1_000_000, 7), Algorithm.ONCE, sizes)).isEqualTo(first);
        assertThat(run(lossy(2, 1_000_000, 8), Algorithm.ONCE, sizes)).isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void everyAlgorithmCarriesEverySizeOverSeveralSwitches(Algorithm algorithm) {
        JobSettings settings = new JobSettings(network(9, 3, MBIT_100), 0.5, 100_000, COSTS, 0, 3);
        for (Outcome outcome : run(settings, algorithm, 0, 1, 5_000, 300_000)) {
            assertThat(outcome.corrupt()).isZero();
            assertThat(outcome.lastNs()).isPositive();
            assertThat(outcome.meanNs()).isLessThanOrEqualTo((double) outcome.lastNs());
        }
    }

    /** Each rank computes, one of them for longer; roots take turns. */
    private record Turns(int ranks, long computingNs, int bytes) implements RoundProgram {

        @Override
        public long computingNs(int rank, int round) {
            return rank == ranks - 1 ? 2 * computingNs : computingNs;
        }

        @Override
        public int root(int round) {
            return round % ranks;
        }

        @Override
        public int bytes(int round) {
            return bytes;
        }
    }

    private static RoundTimes rounds(Algorithm algorithm, Turns program, int count) {
        try (SimulatedJob job = new SimulatedJob(settings(oneSwitch(program.ranks)))) {
            return job.rounds(algorithm, program, count);
        }
    }

    /** A round lasts as the slowest rank computes, and then as a broadcast. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void roundsOfAProgramLastAsComputingAndBroadcastsDo(Algorithm algorithm) {
        int ranks = 4;
        long computingNs = 30_000_000;
        RoundTimes times = rounds(algorithm, new Turns(ranks, computingNs, KIB_64), 2 * ranks);
        double broadcastNs = run(oneSwitch(ranks), algorithm, KIB_64).lastNs();
        double leastNs = 2.0 * ranks * computingNs;
        double mostNs = 2.0 * ranks * (2.0 * computingNs + broadcastNs);
        assertThat((double) times.lastNs()).isBetween(1.5 * leastNs, 1.05 * mostNs);
        assertThat(times.heldNs()).isBetween(0.1 * broadcastNs, (double) times.lastNs() - leastNs);
    }

    @Test
    void aRankThatComputesLongerHoldsUpTheOthersWhenItIsTheRoot() {
        long computingNs = 30_000_000;
        double even = rounds(Algorithm.ONCE, new Turns(4, computingNs, 1000), 4).heldNs();
        double none = rounds(Algorithm.ONCE, new Turns(4, 0, 1000), 4).heldNs();
        assertThat(even).isGreaterThan(none + 0.5 * computingNs);
    }

    /** Ranks that hand fragments on mend a loss where it was, also where others miss the same. */
    @ParameterizedTest
    @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "IPMC")
    void aHundredthLostCostsLittleTimeAndOneRepairEach(Algorithm algorithm) {
        int[] sizes = {MIB, MIB, MIB};
        int ranks = 16;
        long losses = Math.ceilDiv(3L * MIB, 1400) * (ranks - 1) / 100;
        for (long seed = 1; seed <= 3; seed++) {
            JobSettings none = new JobSettings(oneSwitch(ranks), 0, 0, COSTS, 0, seed);
            JobSettings some = new JobSettings(oneSwitch(ranks), 1, 0, COSTS, 0, seed);
            long losslessNs = run(none, algorithm, MIB).getFirst().lastNs();
            List<Outcome> lossy = run(some, algorithm, sizes);
            assertThat(lossy)
                    .allSatisfy(it -> assertThat(it.lastNs()).isLessThan(losslessNs * 5 / 4));
            assertThat(lossy.stream().mapToLong(Outcome::repairs).sum())
                    .isBetween(losses / 2, losses * 3 / 2);
        }
    }

    /**
     * Medians in the lab, whose hosts share two processors (docs/SIMULATION.md): ranks, Mbit/s,
     * loss in percent, algorithm, KiB, measured milliseconds.
     */
    @ParameterizedTest
    @CsvSource({
        "16, 100, 0, once, 0.015625, 0.443",
        "16, 100, 0, once, 4, 0.542",
        "16, 100, 0, once, 16, 0.997",
        "16, 100, 0, once, 64, 3.65",
        "16, 100, 0, once, 256, 20.3",
        "16, 100, 0, once, 1024, 86.9",
        "16, 100, 1, once, 1024, 93.3",
        "4, 20, 0, once, 64, 15.8",
        "32, 20, 0, once, 64, 17.9",
        "16, 100, 0, chain, 64, 7.06",
        "16, 100, 0, chain, 256, 25.5",
        "16, 100, 0, chain, 1024, 92.5",
        "8, 100, 0, once, 64, 3.32",
        "8, 100, 0, once, 1024, 86.7",
        "8, 100, 0, chain, 64, 4.47",
        "8, 100, 0, chain, 1024, 87.7",
        "8, 100, 0, binary, 64, 8.96",
        "8, 100, 0, binary, 1024, 175.1",
        "8, 100, 0, binomial, 64, 14.1",
        "8, 100, 0, binomial, 1024, 263.4",
    })
    void asTheLabItTakesAsLongAsMeasuredThere(
            int ranks, int mbit, double loss, String algorithm, double kib, double measuredMs) {
        CableModel shaped = new CableModel(5_000, 3L << 20, true);
        JobNetwork lab = JobNetwork.uniform(ranks, mbit * 1_000_000L, 1, 0, false, shaped);
        ProcessorCosts two = new ProcessorCosts(5_000, 4_700, 0.5).onShared(2, 20_000);
        int[] sizes = new int[loss > 0 ? 9 : 1];
        Arrays.fill(sizes, (int) (kib * 1024));
        JobSettings settings = new JobSettings(lab, loss, 0, two, 0, 1);
        long[] times =
                run(settings, Algorithm.of(algorithm), sizes).stream()
                        .mapToLong(Outcome::lastNs)
                        .sorted()
                        .toArray();
        double ms = times[times.length / 2] / 1e6;
        assertThat(ms).isCloseTo(measuredMs, withinPercentage(15));
    }

    @Test
    void withoutLossOnceTakesLittleMoreThanTheBareNetwork() {
        Outcome floor = BareNetwork.send(settings(oneSwitch(16)), MIB);
        Outcome once = run(oneSwitch(16), Algorithm.ONCE, MIB);
        assertThat(floor.complete()).isTrue();
        assertThat((double) floor.lastNs()).isCloseTo(87.8e6, within(0.3e6));
        assertThat((double) once.lastNs() / floor.lastNs()).isBetween(1.0, 1.05);
        assertThat(once.repairs()).isZero();
        assertThat((double) once.rootTxBytes()).isCloseTo(1.073 * MIB, within(0.01 * MIB));
    }

    @Test
    void whatIsLostIsRepairedAndCounted() {
        Outcome outcome = run(lossy(2, 0, 1), Algorithm.ONCE, MIB).getFirst();
        assertThat(outcome.corrupt()).isZero();
        assertThat(outcome.repairs()).isPositive();
        assertThat(outcome.repairTimes().count()).isPositive();
        assertThat(BareNetwork.send(lossy(2, 0, 1), MIB).complete()).isFalse();
    }

    /**
     * The second switch on the way stores the last datagram, which takes 81 us on the trunk, and
     * perhaps a whole one, 123 us, before it; the trunk itself adds 5 us.
     */
    @Test
    void anotherSwitchOnTheWayAddsOneDatagram() {
        long oneNs = run(oneSwitch(16), Algorithm.ONCE, KIB_64).lastNs();
        long threeNs = run(network(16, 3, MBIT_100), Algorithm.ONCE, KIB_64).lastNs();
        assertThat(threeNs - oneNs).isBetween(86_000L, 128_000L);
    }

    /** Half of the ranks are behind the trunk: the root sends it their messages one by one. */
    @Test
    void aSlowTrunkSlowsWhatCrossesItOften() {
        JobNetwork slow = network(8, 2, MBIT_100 / 10);
        long linearNs = run(slow, Algorithm.LINEAR, KIB_64).lastNs();
        long onceNs = run(slow, Algorithm.ONCE, KIB_64).lastNs();
        long trunkNs = KIB_64 * 800L;
        assertThat(linearNs).isBetween(4 * trunkNs, 5 * trunkNs);
        assertThat(onceNs).isBetween(trunkNs, 2 * trunkNs);
    }

    /** Rounds of whole messages: a chain has one for each receiver, a binomial tree log2. */
    @ParameterizedTest
    @CsvSource({"CHAIN, 7, 1", "BINOMIAL, 3, 1", "LINEAR, 7, 1", "BINARY, 4, 1"})
    void withoutSegmentsARankHandsOnWhatItHasAllOf(Algorithm algorithm, int last, int first) {
        JobSettings settings = settings(oneSwitch(8));
        Outcome whole;
        try (SimulatedJob job = new SimulatedJob(settings, Ways.unsegmented())) {
            whole = job.broadcast(algorithm, KIB_64);
            assertThat(job.broadcast(algorithm, 3 * KIB_64).corrupt()).isZero();
        }
        double roundNs = KIB_64 * 80.0 * 1.07;
        assertThat(whole.corrupt()).isZero();
        assertThat(whole.repairs()).isZero();
        assertThat(whole.lastNs() / roundNs).isBetween(last * 1.0, last * 1.08);
        assertThat(whole.firstNs() / roundNs).isBetween(first * 1.0, first * 1.08);
    }

    /** The places of the window are the channels of seed 003. */
    @Test
    void fewChannelsSlowAStreamOfShortMessages() {
        double two = streamNs(2);
        double sixteen = streamNs(16);
        assertThat(two).isGreaterThan(1.5 * sixteen);
        assertThat(streamNs(64)).isLessThan(1.05 * sixteen);
    }

    private static double streamNs(int window) {
        ProcessorCosts quick = new ProcessorCosts(2_000, 1_000, 0);
        JobNetwork network =
                JobNetwork.uniform(
                        8, 10 * MBIT_100, 1, 0, false, new CableModel(1_000, 1 << 20, false));
        try (SimulatedJob job =
                new SimulatedJob(new JobSettings(network, 0, 0, quick, window, 1))) {
            return job.stream(Algorithm.ONCE, 8, 200);
        }
    }

    @Test
    void whoCallsLaterEndsLater() {
        JobSettings late = new JobSettings(oneSwitch(8), 0, 50_000_000, COSTS, 0, 5);
        Outcome outcome = run(late, Algorithm.ONCE, 16).getFirst();
        assertThat(outcome.lastNs()).isBetween(20_000_000L, 51_000_000L);
    }

    @Test
    void theTimeDoesNotGrowWithTheRanks() {
        assertTimeIsFlat(500);
    }

    @Test
    @Tag("slow")
    void norDoesItFor10000Ranks() {
        assertTimeIsFlat(10_000);
    }

    private static void assertTimeIsFlat(int ranks) {
        double fewNs = run(oneSwitch(16), Algorithm.ONCE, MIB).lastNs();
        Outcome many = run(oneSwitch(ranks), Algorithm.ONCE, MIB);
        assertThat(many.lastNs() / fewNs).isBetween(0.95, 1.1);
        assertThat(many.corrupt()).isZero();
    }

    @Test
    void ringsOfManyRanksAreSmallerUnlessAWindowIsAskedFor() {
        assertThat(settings(oneSwitch(16)).window()).isEqualTo(2048);
        assertThat(settings(oneSwitch(10_000)).window()).isEqualTo(64);
        assertThat(new JobSettings(oneSwitch(16), 0, 0, COSTS, 128, 1).window()).isEqualTo(128);
    }

    @Test
    void whatCannotBeIsRefused() {
        JobNetwork network = oneSwitch(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettings(network, 100, 0, COSTS, 0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettings(network, 0, -1, COSTS, 0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettings(network, 0, 0, COSTS, 48, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> network(4, 5, MBIT_100));
        assertThatIllegalArgumentException().isThrownBy(() -> network(4, 2, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new CableModel(-1, 0, false));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProcessorCosts(0, -1, 0));
    }
}
