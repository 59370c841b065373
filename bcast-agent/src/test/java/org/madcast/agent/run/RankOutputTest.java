package org.madcast.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What several ranks say on one output. */
class RankOutputTest {

    private final StringWriter said = new StringWriter();

    @Test
    void noLineIsBrokenByAnotherRank() {
        RankOutput output = new RankOutput(new PrintWriter(said), false);
        output.of(0).accept("How many? ");
        output.of(1).accept("ready\n");
        output.of(0).accept("4\n");
        assertThat(said).hasToString("How many? \nready\n4\n");
    }

    @Test
    void aLineInPiecesHasOnePrefix() {
        RankOutput output = new RankOutput(new PrintWriter(said), true);
        output.of(0).accept("How many? ");
        output.of(0).accept("4\n");
        output.of(1).accept("\n");
        output.of(1).accept("end");
        assertThat(said).hasToString("[0] How many? 4\n[1] \n[1] end");
    }
}
