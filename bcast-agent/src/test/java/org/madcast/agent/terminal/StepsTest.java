package org.madcast.agent.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class StepsTest {

    private static final int COLUMNS = 20;

    /**
     * A line of a terminal that is told not to wrap: the last column takes every further letter.
     */
    private static String shown(String printed) {
        StringBuilder line = new StringBuilder(" ".repeat(COLUMNS));
        int column = 0;
        for (int i = 0; i < printed.length(); i++) {
            char letter = printed.charAt(i);
            if (letter == '\033') {
                int end = i + 2;
                while (!Character.isLetter(printed.charAt(end))) {
                    end++;
                }
                if (printed.charAt(end) == 'K') {
                    line.replace(column, COLUMNS, " ".repeat(COLUMNS - column));
                } else if (printed.charAt(end) == 'G') {
                    int wanted = Integer.parseInt(printed.substring(i + 2, end));
                    column = Math.min(wanted, COLUMNS) - 1;
                }
                i = end;
            } else if (letter == '\r') {
                column = 0;
            } else {
                line.setCharAt(column, letter);
                column = Math.min(column + 1, COLUMNS - 1);
            }
        }
        return line.toString().stripTrailing();
    }

    @Test
    void ofALongLineTheBeginningIsShownAndNothingElse() {
        StringWriter printed = new StringWriter();
        try (Steps steps = new Steps(new PrintWriter(printed, true), true)) {
            Steps.Step step = steps.begin("abcdefghijklmnopqrstuvwxyz");
            assertThat(shown(printed.toString()).substring(2)).isEqualTo("abcdefghijklmnopq");
            step.abandon();
        }
    }

    @Test
    void ofAShortLineAllIsShown() {
        StringWriter printed = new StringWriter();
        try (Steps steps = new Steps(new PrintWriter(printed, true), true)) {
            Steps.Step step = steps.begin("short");
            assertThat(shown(printed.toString())).contains("short ... 0.0 s");
            step.abandon();
        }
    }
}
