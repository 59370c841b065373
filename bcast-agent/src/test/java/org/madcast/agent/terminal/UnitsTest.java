package org.madcast.agent.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "16,16",
        "16B,16",
        "4KiB,4096",
        "4k,4096",
        "1MiB,1048576",
        "2GiB,2147483648"
    })
    void readsSizes(String text, long bytes) {
        assertThat(Units.sizeBytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "4x", "1.5MiB", "MiB", "9999999999999"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> Units.sizeBytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "30s,PT30S", "10m,PT10M", "10min,PT10M", "1h,PT1H", "2d,PT48H"})
    void readsDurations(String text, Duration duration) {
        assertThat(Units.duration(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "-5s", "5x", "h"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> Units.duration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0 bit/s",
        "3,24 bit/s",
        "1000,8.0 kbit/s",
        "11787500,94.3 Mbit/s",
        "250000000,2.00 Gbit/s"
    })
    void writesRates(double bytesPerSecond, String text) {
        assertThat(Units.rate(bytesPerSecond)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1023,1023 B", "4096,4 KiB", "1536,1.5 KiB", "1048576,1 MiB"})
    void writesSizes(long bytes, String text) {
        assertThat(Units.size(bytes)).isEqualTo(text);
    }

    @Test
    void numbersStandToTheRightAndTextToTheLeft() {
        StringWriter text = new StringWriter();
        new Table("rank", "host").row(7, "a").row(10, "bc").print(new PrintWriter(text, true));
        assertThat(text.toString().lines()).containsExactly("rank  host", "   7  a", "  10  bc");
    }
}
