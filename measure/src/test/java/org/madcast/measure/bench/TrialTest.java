package org.madcast.measure.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.lab.LabSpec;

class TrialTest {

    private static final Cell SHORT = new Cell("once", 16);
    private static final Cell LONG = new Cell("once", 1 << 20);
    private static final Cell HUGE = new Cell("once", 64 << 20);

    private static List<Trial> schedule(int warmUps) {
        LabSpec lab = LabSpec.builder().hosts(2).build();
        List<Cell> cells = List.of(SHORT, LONG, HUGE);
        return Trial.schedule(
                new BenchOptions(
                        "madcast",
                        lab,
                        List.of(2),
                        cells,
                        new Amount(1, 7, warmUps, 10, 1),
                        Compilers.FIRST,
                        Method.PLAIN,
                        1),
                1);
    }

    private static long warmUps(List<Trial> trials, Cell cell) {
        return trials.stream().filter(it -> it.warmUp() && it.cell().equals(cell)).count();
    }

    @Test
    void eachCellWarmsUpBeforeAnythingIsTimedAndLargeMessagesLess() {
        List<Trial> trials = schedule(100);
        assertThat(warmUps(trials, SHORT)).isEqualTo(100);
        assertThat(warmUps(trials, LONG)).isEqualTo(16);
        assertThat(warmUps(trials, HUGE)).isEqualTo(5);
        assertThat(trials.subList(0, 121)).allMatch(Trial::warmUp);
        assertThat(trials.subList(121, trials.size())).hasSize(21).noneMatch(Trial::warmUp);
    }

    @Test
    void noneIsWarmedUpMoreThanTheUserWants() {
        List<Trial> trials = schedule(2);
        assertThat(trials).filteredOn(Trial::warmUp).hasSize(6);
        assertThat(schedule(0)).noneMatch(Trial::warmUp);
    }

    @Test
    void allTrialsHaveNumbersOfTheirOwn() {
        assertThat(schedule(3)).extracting(Trial::number).doesNotHaveDuplicates();
    }
}
