package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BroadcastParametersTest {

    private static BroadcastParameters fromEnvironment(String variable, String value) {
        return BroadcastParameters.builder(Map.of(), Map.of(variable, value)).build();
    }

    @Test
    void defaultsAreSieberts() {
        BroadcastParameters defaults = BroadcastParameters.defaults();
        assertThat(defaults.priority()).isEqualTo(40);
        assertThat(defaults.prefersMulticast()).isTrue();
        assertThat(defaults.crossoverNodes()).isEqualTo(4);
        assertThat(defaults.crossoverSizeBytes()).isEqualTo(1_048_576);
        assertThat(defaults.fragmentSizeBytes()).isEqualTo(4096);
        assertThat(defaults.rootWaitTime()).isZero();
        assertThat(defaults.useCrcChecking()).isTrue();
        assertThat(defaults.printStatistics()).isFalse();
        assertThat(defaults.algorithm()).isEmpty();
        assertThat(defaults.deathTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(defaults.rateBitsPerSecond()).isZero();
        assertThat(defaults.windowBytes()).isZero();
        assertThat(defaults.receiveBufferBytes()).isEqualTo(4 << 20);
        assertThat(defaults.datagramBytes()).isZero();
        assertThat(defaults.socketPath()).isEqualTo(BroadcastParameters.SocketPath.AUTO);
        assertThat(defaults.ttl()).isEqualTo(1);
    }

    @Test
    void codeBeatsPropertyBeatsEnvironment() {
        Map<String, String> properties = Map.of("madcast.crossover.size", "2MiB");
        Map<String, String> environment =
                Map.of("MADCAST_CROSSOVER_SIZE", "3MiB", "MADCAST_FRAGMENT_SIZE", "1KiB");
        BroadcastParameters both = BroadcastParameters.builder(properties, environment).build();
        assertThat(both.crossoverSizeBytes()).isEqualTo(2L << 20);
        assertThat(both.fragmentSizeBytes()).isEqualTo(1024);
        BroadcastParameters code =
                BroadcastParameters.builder(properties, environment).crossoverSizeBytes(7).build();
        assertThat(code.crossoverSizeBytes()).isEqualTo(7);
    }

    @Test
    void aValueFromCodeHidesAnInvalidVariable() {
        Map<String, String> environment = Map.of("MADCAST_TTL", "999");
        assertThat(BroadcastParameters.builder(Map.of(), environment).ttl(3).build().ttl())
                .isEqualTo(3);
        assertThatThrownBy(() -> BroadcastParameters.builder(Map.of(), environment).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("MADCAST_TTL = '999' is not a number in the allowed range: 0 to 255");
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "64KiB, 65536",
        "1 MiB, 1048576",
        "1mib, 1048576",
        "1.5KiB, 1536",
        "300bytes, 300",
        "0, 0",
        "1TiB, 1099511627776"
    })
    void readsSizes(String text, long bytes) {
        assertThat(fromEnvironment("MADCAST_CROSSOVER_SIZE", text).crossoverSizeBytes())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"500us, 500000", "5ms, 5000000", "1.5s, 1500000000", "0, 0", "20µs, 20000"})
    void readsDurations(String text, long nanos) {
        assertThat(fromEnvironment("MADCAST_ROOT_WAIT_TIME", text).rootWaitTime())
                .isEqualTo(Duration.ofNanos(nanos));
    }

    @Test
    void aRootWaitTimeOfZeroThatWasChosenSwitchesTheAdviceOff() {
        assertThat(fromEnvironment("MADCAST_ROOT_WAIT_TIME", "0").pinsRootWaitTime()).isTrue();
        assertThat(fromEnvironment("MADCAST_ROOT_WAIT_TIME", "2ms").pinsRootWaitTime()).isTrue();
        assertThat(fromEnvironment("MADCAST_CROSSOVER_SIZE", "2").pinsRootWaitTime()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "100Mbit/s, 100000000",
        "64000, 64000",
        "unlimited, 0",
        "0, 0",
        "1gbit/s, 1000000000",
        "64kbit, 64000",
        "100mbit, 100000000",
        "2.5 Gbit, 2500000000"
    })
    void readsRates(String text, long bitsPerSecond) {
        assertThat(fromEnvironment("MADCAST_RATE", text).rateBitsPerSecond())
                .isEqualTo(bitsPerSecond);
    }

    @ParameterizedTest
    @CsvSource({"on, true", "off, false", "1, true", "0, false", "TRUE, true", "no, false"})
    void readsSwitches(String text, boolean on) {
        assertThat(fromEnvironment("MADCAST_PRINT_STATISTICS", text).printStatistics())
                .isEqualTo(on);
    }

    @Test
    void readsChoices() {
        assertThat(fromEnvironment("MADCAST_ALGORITHM", "ipmc").algorithm())
                .isEqualTo(Optional.of(Algorithm.IPMC));
        assertThat(fromEnvironment("MADCAST_ALGORITHM", "auto").algorithm()).isEmpty();
        assertThat(fromEnvironment("MADCAST_SOCKET_PATH", "Native").socketPath())
                .isEqualTo(BroadcastParameters.SocketPath.NATIVE);
        for (Algorithm algorithm : Algorithm.values()) {
            BroadcastParameters set =
                    BroadcastParameters.builder(Map.of(), Map.of()).algorithm(algorithm).build();
            assertThat(set.algorithm()).contains(algorithm);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MADCAST_FRAGMENT_SIZE, 255, 256B to 65000B",
        "MADCAST_FRAGMENT_SIZE, 64KiB, 256B to 65000B",
        "MADCAST_FRAGMENT_SIZE, -1, 256B to 65000B",
        "MADCAST_CROSSOVER_SIZE, 1XiB, 0 to 1TiB",
        "MADCAST_CROSSOVER_SIZE, 0.5, 0 to 1TiB",
        "MADCAST_DEATH_TIMEOUT, 0, 10ms to 60min",
        "MADCAST_DEATH_TIMEOUT, 5, 10ms to 60min",
        "MADCAST_RATE, 1kbit/s, unlimited or 64kbit/s to 1000Gbit/s",
        "MADCAST_WINDOW, 1000B, auto or 1KiB to 1GiB",
        "MADCAST_RECEIVE_BUFFER, 1KiB, 4KiB to 1GiB",
        "MADCAST_ALGORITHM, fast, 'auto, once, ipmc, chain'",
        "MADCAST_USE_CRC_CHECKING, 2, 'off, on'",
        "MADCAST_TTL, 99999999999999999999, 0 to 255"
    })
    void refusesWithNameValueAndRange(String variable, String value, String range) {
        assertThatThrownBy(() -> fromEnvironment(variable, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(variable + " = '" + value + "'")
                .hasMessageContaining(range);
    }

    @Test
    void refusesFromCode() {
        assertThatThrownBy(() -> BroadcastParameters.builder().fragmentSizeBytes(100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fragment.size = '100'");
        assertThatThrownBy(() -> BroadcastParameters.builder().deathTimeout(Duration.ofDays(9999)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BroadcastParameters.builder().rootWaitTime(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void describesEverySettingWithItsOrigin() {
        BroadcastParameters parameters =
                BroadcastParameters.builder(
                                Map.of("madcast.rate", "100Mbit/s"), Map.of("MADCAST_TTL", "4"))
                        .algorithm(Algorithm.CHAIN)
                        .build();
        assertThat(parameters.describe().lines())
                .hasSize(BroadcastParametersSetting.ALL.size() + 1)
                .anyMatch(line -> line.matches("selection.file +built in +default"))
                .anyMatch(line -> line.matches("rate +100Mbit/s +property madcast.rate"))
                .anyMatch(line -> line.matches("ttl +4 +environment MADCAST_TTL"))
                .anyMatch(line -> line.matches("algorithm +chain +code"))
                .anyMatch(line -> line.matches("fragment.size +4KiB +default"));
        assertThat(parameters)
                .hasToString(
                        "BroadcastParameters[algorithm=chain (code), rate=100Mbit/s (property"
                                + " madcast.rate), ttl=4 (environment MADCAST_TTL)]");
    }

    @Test
    void printedValuesAreReadBack() {
        for (BroadcastParametersSetting setting : BroadcastParametersSetting.ALL) {
            for (long value : new long[] {setting.standard(), setting.min(), setting.max()}) {
                assertThat(setting.parse("test", setting.print(value)))
                        .as(setting.label())
                        .isEqualTo(value);
            }
        }
    }

    @Test
    void equalByValues() {
        assertThat(fromEnvironment("MADCAST_TTL", "1")).isEqualTo(BroadcastParameters.defaults());
        assertThat(fromEnvironment("MADCAST_TTL", "2"))
                .isNotEqualTo(BroadcastParameters.defaults());
    }
}
