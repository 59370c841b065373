package org.madcast.agent.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {

    private static String print(Table table) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        table.print(out);
        out.flush();
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    @Test
    void numbersStandToTheRightAlsoWithTheirUnits() {
        Table table = new Table("rank", "takes", "lost", "hears", "result");
        table.row(7, "99.7 Mbit/s", "0.0 %", "2 of 12", "ok");
        table.row(12, "-", "-", "11 of 12", "WRONG");
        assertThat(print(table))
                .isEqualTo(
                        """
                        rank        takes   lost     hears  result
                           7  99.7 Mbit/s  0.0 %   2 of 12  ok
                          12            -      -  11 of 12  WRONG
                        """);
    }

    @Test
    void addressesTimesAndNamesThatBeginWithADigitStandToTheLeft() {
        Table table = new Table("group", "expires", "id", "ports");
        table.row("239.194.156.37:18858", "2026-11-22T08:10:54Z", "01a20245-bc0b", "5000-5009");
        table.row("239.193.1.2:80", "2026-11-22T08:10Z", "7-b", "1-2");
        assertThat(print(table))
                .isEqualTo(
                        """
                        group                 expires               id             ports
                        239.194.156.37:18858  2026-11-22T08:10:54Z  01a20245-bc0b  5000-5009
                        239.193.1.2:80        2026-11-22T08:10Z     7-b            1-2
                        """);
    }
}
