package org.madcast.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The table of settings: name, kind, default and allowed range. Everything else about a setting
 * (its system property, its environment variable, its messages) follows from its line here.
 *
 * @param label the name, dots between words
 * @param kind how values are written
 * @param standard the default
 * @param min the least value; a kind's words may stand for others
 * @param max the greatest value
 */
record BroadcastParametersSetting(
        String label, BroadcastParametersKind kind, long standard, long min, long max) {

    static final BroadcastParametersSetting PRIORITY = count("priority", 40, 0, 100);
    static final BroadcastParametersSetting CROSSOVER_NODES =
            count("crossover.nodes", 4, 1, 65_535);
    static final BroadcastParametersSetting CROSSOVER_SIZE =
            size("crossover.size", 1L << 20, 0, 1L << 40);
    static final BroadcastParametersSetting FRAGMENT_SIZE =
            size("fragment.size", 4096, 256, 65_000);
    static final BroadcastParametersSetting ROOT_WAIT_TIME =
            duration("root.wait.time", 0, 0, 10_000_000_000L);
    static final BroadcastParametersSetting GATHER_TIME =
            duration("gather.time", 500_000, 0, 20_000_000);
    static final BroadcastParametersSetting POLL_TIME =
            duration("poll.time", 100_000, 0, 3_600_000_000_000L);
    static final BroadcastParametersSetting USE_CRC_CHECKING = onOrOff("use.crc.checking", 1);
    static final BroadcastParametersSetting PRINT_STATISTICS = onOrOff("print.statistics", 0);
    static final BroadcastParametersSetting ALGORITHM = choice("algorithm", algorithms());
    static final BroadcastParametersSetting DEATH_TIMEOUT =
            duration("death.timeout", 5_000_000_000L, 10_000_000L, 3_600_000_000_000L);
    static final BroadcastParametersSetting RATE =
            new BroadcastParametersSetting(
                    "rate", BroadcastParametersKind.RATE, 0, 64_000, 1_000_000_000_000L);
    static final BroadcastParametersSetting FOLLOW_SLOWEST = onOrOff("follow.slowest", 1);
    static final BroadcastParametersSetting CATCH_UP = duration("catch.up", 0, 0, 1_000_000_000);
    static final BroadcastParametersSetting WINDOW = sizeOrAuto("window", 1L << 10, 1L << 30);
    static final BroadcastParametersSetting RECEIVE_BUFFER =
            size("receive.buffer", 4L << 20, 4096, 1L << 30);
    static final BroadcastParametersSetting SEND_BUFFER =
            size("send.buffer", 64L << 10, 4096, 1L << 30);
    static final BroadcastParametersSetting DATAGRAM_SIZE =
            sizeOrAuto("datagram.size", 292, 65_507);
    static final BroadcastParametersSetting SOCKET_PATH =
            choice("socket.path", List.of("auto", "nio", "native"));
    static final BroadcastParametersSetting TTL = count("ttl", 1, 0, 255);
    static final BroadcastParametersSetting PART_MULTICAST =
            new BroadcastParametersSetting(
                    "part.multicast",
                    BroadcastParametersKind.SIZE.withWord("always", 0).withWord("never", -1),
                    16L << 10,
                    1,
                    1L << 40);
    static final BroadcastParametersSetting SHARED_MEMORY = onOrOff("shared.memory", 1);

    /** All settings, in the order in which they are shown. */
    static final List<BroadcastParametersSetting> ALL =
            List.of(
                    PRIORITY,
                    CROSSOVER_NODES,
                    CROSSOVER_SIZE,
                    FRAGMENT_SIZE,
                    ROOT_WAIT_TIME,
                    GATHER_TIME,
                    POLL_TIME,
                    USE_CRC_CHECKING,
                    PRINT_STATISTICS,
                    ALGORITHM,
                    DEATH_TIMEOUT,
                    RATE,
                    FOLLOW_SLOWEST,
                    CATCH_UP,
                    WINDOW,
                    RECEIVE_BUFFER,
                    SEND_BUFFER,
                    DATAGRAM_SIZE,
                    SOCKET_PATH,
                    TTL,
                    PART_MULTICAST,
                    SHARED_MEMORY);

    private static BroadcastParametersSetting count(
            String label, long standard, long min, long max) {
        return new BroadcastParametersSetting(
                label, BroadcastParametersKind.COUNT, standard, min, max);
    }

    private static BroadcastParametersSetting size(
            String label, long standard, long min, long max) {
        return new BroadcastParametersSetting(
                label, BroadcastParametersKind.SIZE, standard, min, max);
    }

    private static BroadcastParametersSetting sizeOrAuto(String label, long min, long max) {
        return new BroadcastParametersSetting(
                label, BroadcastParametersKind.SIZE.withWord("auto", 0), 0, min, max);
    }

    private static BroadcastParametersSetting duration(
            String label, long standard, long min, long max) {
        return new BroadcastParametersSetting(
                label, BroadcastParametersKind.DURATION, standard, min, max);
    }

    private static BroadcastParametersSetting onOrOff(String label, long standard) {
        return new BroadcastParametersSetting(
                label, BroadcastParametersKind.SWITCH, standard, 0, 1);
    }

    private static BroadcastParametersSetting choice(String label, List<String> labels) {
        return new BroadcastParametersSetting(
                label, BroadcastParametersKind.oneOf(labels), 0, 0, labels.size() - 1L);
    }

    private static List<String> algorithms() {
        List<String> labels = new ArrayList<>(List.of("auto"));
        Arrays.stream(Algorithm.values()).map(Algorithm::label).forEach(labels::add);
        return labels;
    }

    /** Such as {@code madcast.crossover.size}. */
    String property() {
        return "madcast." + label;
    }

    /** Such as {@code MADCAST_CROSSOVER_SIZE}. */
    String variable() {
        return property().replace('.', '_').toUpperCase(Locale.ROOT);
    }

    String print(long value) {
        return kind.print(value);
    }

    /** Reads a text; {@code where} names the property or variable that it came from. */
    long parse(String where, String text) {
        long value = kind.parse(text).orElseThrow(() -> refusal(where, text));
        return check(where, text, value);
    }

    /** Refuses a value from code that is out of range. */
    long check(long value) {
        return check(label, Long.toString(value), value);
    }

    private long check(String where, String text, long value) {
        boolean word = kind.words().containsValue(value);
        if (!word && (value < min || value > max)) {
            throw refusal(where, text);
        }
        return value;
    }

    private IllegalArgumentException refusal(String where, String text) {
        return new IllegalArgumentException(
                where
                        + " = '"
                        + text
                        + "' is not "
                        + kind.noun()
                        + " in the allowed range: "
                        + kind.allowed(min, max));
    }
}
