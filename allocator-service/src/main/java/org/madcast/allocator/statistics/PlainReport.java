package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.statistics.BroadcastSite.Arrivals;
import org.madcast.allocator.statistics.BroadcastSite.DurationNs;
import org.madcast.allocator.web.Limits;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads a report as ranks write it, in one pass and without reflection: there are thousands a
 * second. What reports may say is told by {@link ReportController.Body} alone. This takes only what
 * is plainly right by those rules: known fields, each once, whole numbers from 0 to 2^53, short
 * ASCII text, no null. Of anything else it says nothing, and the ordinary way reads it again and
 * judges.
 */
public final class PlainReport {

    private static final int UNSET = -1;
    private static final String HEX = "0123456789abcdef";
    private static final String FORM = "00000000-0000-0000-0000-000000000000";

    private final JsonParser in;

    private PlainReport(JsonParser in) {
        this.in = in;
    }

    /** Not plain: not said to anybody but who reads. */
    public static final class NotPlain extends RuntimeException {

        private static final long serialVersionUID = 1;

        /** One without a stack trace. */
        public NotPlain() {
            super(null, null, false, false);
        }
    }

    /** The report; null when it is not plain, be it right or wrong. */
    static @Nullable Report read(ObjectMapper json, byte[] body) {
        try (JsonParser parser = json.createParser(body)) {
            return new PlainReport(parser).report();
        } catch (NotPlain | JacksonException left) {
            return null;
        }
    }

    /**
     * Several reports that one rank passes on.
     *
     * @param instance the process of the rank that passes them on
     */
    record Relayed(UUID instance, List<Report> reports) {}

    /** Several reports, all of this communicator; null when they are not plain. */
    static @Nullable Relayed readRelayed(ObjectMapper json, byte[] body, UUID communicator) {
        try (JsonParser parser = json.createParser(body)) {
            Relayed relayed = new PlainReport(parser).relayed();
            boolean alike =
                    relayed.reports().stream()
                            .allMatch(it -> it.communicator().equals(communicator));
            return alike ? relayed : null;
        } catch (NotPlain | JacksonException left) {
            return null;
        }
    }

    private Relayed relayed() {
        UUID instance = null;
        List<Report> reports = null;
        require(in.nextToken() == JsonToken.START_OBJECT);
        for (String name = next(); name != null; name = next()) {
            switch (name) {
                case "instance" -> instance = uuid(instance);
                case "reports" -> reports = reports(reports);
                default -> throw new NotPlain();
            }
        }
        require(in.nextToken() == null);
        return new Relayed(required(instance), required(reports));
    }

    private List<Report> reports(@Nullable List<Report> before) {
        require(before == null && in.nextToken() == JsonToken.START_ARRAY);
        List<Report> reports = new ArrayList<>();
        while (in.nextToken() == JsonToken.START_OBJECT) {
            reports.add(fields());
        }
        require(
                in.currentToken() == JsonToken.END_ARRAY
                        && !reports.isEmpty()
                        && reports.size() <= Limits.RELAYED_REPORTS);
        return reports;
    }

    /** Ends reading unless this holds. */
    public static void require(boolean plain) {
        if (!plain) {
            throw new NotPlain();
        }
    }

    /** A value that must be there. */
    public static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new NotPlain();
        }
        return value;
    }

    private Report report() {
        require(in.nextToken() == JsonToken.START_OBJECT);
        Report report = fields();
        require(in.nextToken() == null);
        return report;
    }

    /** A report whose first brace was read. */
    private Report fields() {
        UUID communicator = null;
        UUID instance = null;
        long rank = UNSET;
        long sequence = UNSET;
        long dropped = UNSET;
        Counters counters = null;
        Map<String, Long> rejected = null;
        String socketPath = null;
        List<BroadcastSite> broadcasts = null;
        for (String name = next(); name != null; name = next()) {
            switch (name) {
                case "communicatorId" -> communicator = uuid(communicator);
                case "instance" -> instance = uuid(instance);
                case "rank" -> rank = number(rank);
                case "sequence" -> sequence = number(sequence);
                case "dropped" -> dropped = number(dropped);
                case "counters" -> counters = counters(counters);
                case "rejected" -> rejected = rejected(rejected);
                case "socketPath" -> socketPath = text(socketPath, Limits.LABEL_KEY_LENGTH);
                case "broadcasts" -> broadcasts = broadcasts(broadcasts);
                default -> throw new NotPlain();
            }
        }
        require(rank >= 0 && rank <= Limits.RANKS && sequence >= 0);
        return new Report(
                required(communicator),
                (int) rank,
                required(instance),
                sequence,
                required(counters),
                rejected == null ? Map.of() : rejected,
                socketPath,
                Math.max(0, dropped),
                broadcasts == null ? List.of() : broadcasts,
                List.of());
    }

    private Counters counters(@Nullable Counters before) {
        begin(before);
        long[] read = new long[12];
        Arrays.fill(read, UNSET);
        for (String name = next(); name != null; name = next()) {
            int field =
                    switch (name) {
                        case "broadcasts" -> 0;
                        case "messageBytes" -> 1;
                        case "datagramsSent" -> 2;
                        case "datagramsReceived" -> 3;
                        case "fragmentsUseful" -> 4;
                        case "fragmentsDuplicate" -> 5;
                        case "fragmentsLost" -> 6;
                        case "repairsSent" -> 7;
                        case "repairsReceived" -> 8;
                        case "repairRequestsSent" -> 9;
                        case "foreign" -> 10;
                        case "repairP99Ns" -> 11;
                        default -> throw new NotPlain();
                    };
            read[field] = number(read[field]);
        }
        for (int i = 0; i < read.length; i++) {
            read[i] = Math.max(0, read[i]);
        }
        return new Counters(
                read[0], read[1], read[2], read[3], read[4], read[5], read[6], read[7], read[8],
                read[9], read[10], read[11]);
    }

    private Map<String, Long> rejected(@Nullable Map<String, Long> before) {
        begin(before);
        Map<String, Long> counts = new HashMap<>();
        for (String name = next(); name != null; name = next()) {
            require(counts.put(plain(name, Limits.LABEL_KEY_LENGTH), number(UNSET)) == null);
        }
        require(counts.size() <= Limits.REASONS);
        return counts;
    }

    private List<BroadcastSite> broadcasts(@Nullable List<BroadcastSite> before) {
        require(before == null && in.nextToken() == JsonToken.START_ARRAY);
        List<BroadcastSite> sites = new ArrayList<>();
        while (in.nextToken() == JsonToken.START_OBJECT) {
            sites.add(site());
        }
        require(in.currentToken() == JsonToken.END_ARRAY && sites.size() <= Limits.SITES);
        return sites;
    }

    private BroadcastSite site() {
        String sizeClass = null;
        String label = null;
        String algorithm = null;
        long count = UNSET;
        long bytes = UNSET;
        long rootDelayMicros = UNSET;
        DurationNs durations = null;
        Map<Integer, Long> buckets = null;
        Arrivals arrivals = null;
        for (String name = next(); name != null; name = next()) {
            switch (name) {
                case "sizeClass" -> sizeClass = text(sizeClass, BroadcastSite.MOST_NAME);
                case "label" -> label = text(label, BroadcastSite.MOST_LABEL);
                case "algorithm" -> algorithm = text(algorithm, BroadcastSite.MOST_NAME);
                case "count" -> count = number(count);
                case "bytes" -> bytes = number(bytes);
                case "durationNs" -> durations = durations(durations);
                case "buckets" -> buckets = buckets(buckets);
                case "rootDelayMicros" -> rootDelayMicros = number(rootDelayMicros);
                case "arrivals" -> arrivals = arrivals(arrivals);
                default -> throw new NotPlain();
            }
        }
        return new BroadcastSite(
                required(sizeClass),
                label,
                required(algorithm),
                Math.max(0, count),
                Math.max(0, bytes),
                required(durations),
                buckets,
                rootDelayMicros < 0 ? null : Long.valueOf(rootDelayMicros),
                arrivals);
    }

    private DurationNs durations(@Nullable DurationNs before) {
        begin(before);
        long p50 = UNSET;
        long p99 = UNSET;
        long max = UNSET;
        long sum = UNSET;
        for (String name = next(); name != null; name = next()) {
            switch (name) {
                case "p50" -> p50 = number(p50);
                case "p99" -> p99 = number(p99);
                case "max" -> max = number(max);
                case "sum" -> sum = number(sum);
                default -> throw new NotPlain();
            }
        }
        return new DurationNs(
                Math.max(0, p50), Math.max(0, p99), Math.max(0, max), Math.max(0, sum));
    }

    private Arrivals arrivals(@Nullable Arrivals before) {
        begin(before);
        Map<Integer, Long> early = null;
        Map<Integer, Long> late = null;
        long lostEarly = UNSET;
        long lostEarlyNs = UNSET;
        long lostLate = UNSET;
        long lostLateNs = UNSET;
        for (String name = next(); name != null; name = next()) {
            switch (name) {
                case "early" -> early = buckets(early);
                case "late" -> late = buckets(late);
                case "lostEarly" -> lostEarly = number(lostEarly);
                case "lostEarlyNs" -> lostEarlyNs = number(lostEarlyNs);
                case "lostLate" -> lostLate = number(lostLate);
                case "lostLateNs" -> lostLateNs = number(lostLateNs);
                default -> throw new NotPlain();
            }
        }
        return new Arrivals(
                required(early),
                required(late),
                Math.max(0, lostEarly),
                Math.max(0, lostEarlyNs),
                Math.max(0, lostLate),
                Math.max(0, lostLateNs));
    }

    private Map<Integer, Long> buckets(@Nullable Map<Integer, Long> before) {
        begin(before);
        Map<Integer, Long> counts = new HashMap<>();
        for (String name = next(); name != null; name = next()) {
            require(counts.put(bucket(name), number(UNSET)) == null);
        }
        return counts;
    }

    private static int bucket(String name) {
        int length = name.length();
        require(length > 0 && length <= 3 && (name.charAt(0) != '0' || length == 1));
        int bucket = 0;
        for (int i = 0; i < length; i++) {
            int digit = name.charAt(i) - '0';
            require(digit >= 0 && digit <= 9);
            bucket = 10 * bucket + digit;
        }
        require(bucket < Buckets.COUNT);
        return bucket;
    }

    /** Into an object that was not there before. */
    private void begin(@Nullable Object before) {
        require(before == null && in.nextToken() == JsonToken.START_OBJECT);
    }

    /** The next field's name, null at the object's end. */
    private @Nullable String next() {
        String name = in.nextName();
        require(name != null || in.currentToken() == JsonToken.END_OBJECT);
        return name;
    }

    private long number(long before) {
        require(before == UNSET && in.nextToken() == JsonToken.VALUE_NUMBER_INT);
        long value = in.getLongValue();
        require(value >= 0 && value <= Counters.MOST);
        return value;
    }

    private String text(@Nullable String before, int most) {
        require(before == null && in.nextToken() == JsonToken.VALUE_STRING);
        return plain(in.getString(), most);
    }

    /** Short ASCII text. */
    public static String plain(String text, int most) {
        require(!text.isEmpty() && text.length() <= most);
        for (int i = 0; i < text.length(); i++) {
            require(text.charAt(i) > ' ' && text.charAt(i) < 0x7f);
        }
        return text;
    }

    private UUID uuid(@Nullable UUID before) {
        require(before == null && in.nextToken() == JsonToken.VALUE_STRING);
        return required(uuidOrNull(in.getString()));
    }

    /** The number that is written in full and in small letters, else null. */
    public static @Nullable UUID uuidOrNull(String text) {
        boolean plain = text.length() == FORM.length();
        for (int i = 0; plain && i < text.length(); i++) {
            char at = text.charAt(i);
            plain = FORM.charAt(i) == '-' ? at == '-' : HEX.indexOf(at) >= 0;
        }
        return plain ? UUID.fromString(text) : null;
    }
}
