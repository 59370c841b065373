package org.madcast.agent.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.agent.push.NodeOutcome.State;
import org.madcast.client.Algorithm;
import org.madcast.client.file.RankReport;

final class PushReportTest {

    private static final RankReport WHOLE = new RankReport(1, 1, 0, 100_000_000, 0, 0, List.of());

    private static String text(long streamBytes, NodeOutcome... nodes) {
        return text(streamBytes, null, nodes);
    }

    private static String text(
            long streamBytes, @Nullable Transmission transmission, NodeOutcome... nodes) {
        StringWriter text = new StringWriter();
        PushResult result =
                new PushResult(
                        Arrays.asList(nodes),
                        1,
                        100_000_000,
                        streamBytes,
                        10,
                        1,
                        List.of(),
                        transmission);
        PushReport.text(new PrintWriter(text), result);
        return text.toString();
    }

    @Test
    void aPushThatReachedAllIsOneLine() {
        String text = text(100_000_000, new NodeOutcome("h1", State.COMPLETE, "", WHOLE));
        assertThat(text.lines())
                .singleElement()
                .asString()
                .contains("1 of 1 node", "10.0 s: 80.0 Mbit/s");
    }

    @Test
    void whatWasThereAlreadyIsSaid() {
        String text = text(1_000_000, new NodeOutcome("h1", State.COMPLETE, "", WHOLE));
        assertThat(text).contains("the rest was there");
    }

    @Test
    void whoReachedNobodyIsToldNoRateAndNotThatAllWasThere() {
        String text = text(0, NodeOutcome.failed("h1", State.UNREACHABLE, "no route"));
        assertThat(text)
                .contains("0 of 1 node in 10.0 s\n", "h1", "unreachable", "no route")
                .doesNotContain("bit/s")
                .doesNotContain("was there");
    }

    @Test
    void whoSentWithoutMulticastIsToldSo() {
        Transmission chain = new Transmission(Algorithm.CHAIN, "it is long", true, 70_000, 0);
        NodeOutcome node = new NodeOutcome("h1", State.COMPLETE, "", WHOLE);
        assertThat(text(100_000_000, chain, node).lines())
                .element(1)
                .asString()
                .contains("multicast does not reach all nodes", "chain", "madcast probe");
    }

    @Test
    void whoWantedNoMulticastIsNot() {
        Transmission chain = new Transmission(Algorithm.CHAIN, "it is long", false, 70_000, 0);
        NodeOutcome node = new NodeOutcome("h1", State.COMPLETE, "", WHOLE);
        assertThat(text(100_000_000, chain, node)).hasLineCount(1);
    }
}
