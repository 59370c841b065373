package org.madcast.agent.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.agent.CommandFailure;
import org.madcast.lab.LinkRate;

/** What is made of the lines that an application's ranks say. */
class ExampleResultTest {

    private static final List<String> SAID =
            List.of(
                    "ranks=16 processors=2",
                    "form=alone seconds=10.0000 communication=0",
                    "a remark of the program",
                    "form=blocking seconds=8.0000 communication=4.0000",
                    "form=overlapped seconds=5.0000 communication=1.0000",
                    "result=right");

    private static ExampleOptions options(Application application, int ranks) {
        return new ExampleOptions(
                application,
                64,
                ranks,
                Optional.of(LinkRate.parse("100mbit")),
                100_000,
                true,
                List.of());
    }

    @Test
    void theTableHasTimeSpeedUpAndShare() {
        assertThat(ExampleResult.of(options(Application.CG, 16), SAID).lines())
                .contains(
                        "FORM                TIME  SPEED-UP  COMMUNICATION  SHARE",
                        "one rank alone  10.000 s      1.00        0.000 s    0 %",
                        "blocking         8.000 s      1.25        4.000 s   50 %",
                        "overlapped       5.000 s      2.00        1.000 s   20 %",
                        "Overlap saved 3.00 s of 8.00 s and hid 75 % of the communication.",
                        "The ranks share 2 processors: the speed-up is at most 2.");
    }

    @Test
    void whatOverlapCostIsSaid() {
        List<String> slower =
                List.of(
                        "ranks=4 processors=8",
                        "form=alone seconds=2 communication=0",
                        "form=blocking seconds=1 communication=0.5",
                        "form=overlapped seconds=1.5 communication=0.75");
        assertThat(ExampleResult.of(options(Application.LU, 4), slower).lines())
                .contains("Overlap cost 0.50 s of 1.00 s and hid no communication.")
                .noneMatch(line -> line.contains("share"));
    }

    @Test
    void oneRankHasNothingToHide() {
        List<String> one =
                List.of(
                        "ranks=1 processors=2",
                        "form=alone seconds=2 communication=0",
                        "form=blocking seconds=2 communication=0",
                        "form=overlapped seconds=2 communication=0");
        ExampleResult result = ExampleResult.of(options(Application.LU, 1), one);
        assertThat(result.lines()).noneMatch(line -> line.startsWith("Overlap"));
        assertThat(ExampleResult.json(List.of(result))).doesNotContain("hidden", "NaN");
    }

    @ParameterizedTest
    @EnumSource(Application.class)
    void noLineIsLongerThanATerminal(Application application) {
        ExampleResult result = ExampleResult.of(options(application, 256), SAID);
        assertThat(result.lines()).allMatch(line -> line.length() <= 80);
        assertThat(result.lines())
                .containsAll(application.reported().stream().map(line -> "  " + line).toList());
    }

    @Test
    void whatIsMissingIsAnError() {
        assertThatThrownBy(() -> ExampleResult.of(options(Application.CG, 2), SAID.subList(0, 4)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("'overlapped'");
        assertThatThrownBy(() ->
                        ExampleResult.of(
                                options(Application.CG, 2), List.of("form=alone seconds=x")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no number");
    }

    @Test
    void theRecordHasTheBarOfHiddenCommunication() throws Exception {
        JsonObject file =
                JsonParser.object()
                        .from(
                                ExampleResult.json(
                                        List.of(
                                                ExampleResult.of(
                                                        options(Application.FFT, 16), SAID))));
        assertThat(file.getString("area")).isEqualTo("applications");
        JsonObject hidden = file.getArray("records").getObject(4);
        assertThat(hidden.getString("metric")).isEqualTo("communication hidden");
        assertThat(hidden.getArray("values").getDouble(0)).isEqualTo(75);
        assertThat(hidden.getInt("bar")).isEqualTo(50);
        assertThat(hidden.getString("direction")).isEqualTo("at least");
    }

    private static ExampleResult hiding(int percent) {
        List<String> said =
                List.of(
                        "ranks=4 processors=8",
                        "form=alone seconds=2 communication=0",
                        "form=blocking seconds=1 communication=1",
                        "form=overlapped seconds=1 communication=" + (100 - percent) / 100.0);
        return ExampleResult.of(options(Application.LU, 4), said);
    }

    @Test
    void theMedianOfTheLaunchesCountsAndTheRecordHasAll() throws Exception {
        List<ExampleResult> launches = List.of(hiding(60), hiding(20), hiding(50), hiding(40));
        assertThat(ExampleResult.median(launches).hiddenPercent()).isEqualTo(40);
        JsonObject file = JsonParser.object().from(ExampleResult.json(launches));
        assertThat(file.getString("command"))
                .isEqualTo(
                        "sudo ./madcast example lu --hosts 64 --ranks 4 --size 100000 --launches 4");
        assertThat(file.getArray("records").getObject(4).getArray("values"))
                .isEqualTo(JsonParser.array().from("[60.0, 20.0, 50.0, 40.0]"));
    }
}
