package org.madcast.allocator.lease;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.Reservations.Wanted;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads tables (CSV, RFC 4180) of groups and their owners: a spreadsheet's, separated by commas or
 * semicolons, and the lease files of ISC Kea. From any thread.
 */
@Component
class LeaseTable {

    private static final int MOST_ROWS = 10_000;
    private static final int LONGEST_HEADER = 64 * 1024;
    private static final int LAST_PORT = 65_535;
    private static final Pattern PLAIN = Pattern.compile(Limits.PLAIN_TEXT);
    private static final Pattern PLACE = Pattern.compile("line \\d+");
    private static final String ADDRESS = "address";
    private static final String PORT = "port";
    private static final String UNTIL = "until";
    private static final Set<String> OURS =
            Set.of(ADDRESS, PORT, "job", "user", "token", "scope", UNTIL);

    /** Columns that every lease file of Kea has, and no other table. */
    private static final Set<String> KEAS = Set.of(ADDRESS, "valid_lifetime", "expire", "state");

    /** A lease that Kea never ends. */
    private static final String INFINITE = "4294967295";

    private final SqlTime time;
    private final ObjectMapper json;

    LeaseTable(SqlTime time, ObjectMapper json) {
        this.time = time;
        this.json = json;
    }

    /** A row, by the names of its columns. */
    private record Line(int number, Map<String, String> fields) {

        @Nullable String get(String name) {
            String text = fields.getOrDefault(name, "").strip();
            return text.isEmpty() ? null : text;
        }

        @Nullable String name(String column) {
            String text = get(column);
            if (text != null
                    && (text.length() > Limits.NAME_LENGTH || !PLAIN.matcher(text).matches())) {
                throw wrong(column + " is too long, or has control characters");
            }
            return text;
        }

        Problem wrong(String what) {
            String[] words = what.split(" ", 2);
            return number == 0
                    ? Problem.invalid(words[0], words[1])
                    : Problem.invalid("line " + number, what);
        }
    }

    /** A group that was typed into a form, by the columns of a table. */
    public Wanted typed(Map<String, String> fields) {
        return wanted(new Line(0, fields));
    }

    /** The rows of a table. */
    List<Wanted> read(BufferedReader from) throws IOException {
        from.mark(1);
        if (from.read() != '\uFEFF') { // what Excel begins with
            from.reset();
        }
        List<Line> lines = lines(from);
        if (lines.isEmpty()) {
            throw Problem.invalid("line 2", "is missing: the table has no row");
        }
        boolean kea = lines.getFirst().fields().keySet().containsAll(KEAS);
        return kea ? ofKea(lines) : EachRow.of(lines, LeaseTable::wanted);
    }

    private static List<Line> lines(BufferedReader from) throws IOException {
        from.mark(LONGEST_HEADER);
        String first = from.readLine();
        from.reset();
        boolean semicolons = first != null && first.contains(";") && !first.contains(",");
        List<Line> lines = new ArrayList<>();
        List<String> header = List.of();
        try (CsvReader<CsvRecord> rows =
                CsvReader.builder()
                        .fieldSeparator(semicolons ? ';' : ',')
                        .allowMissingFields(true)
                        .ofCsvRecord(from)) {
            for (CsvRecord row : rows) {
                int number = (int) row.getStartingLineNumber();
                if (header.isEmpty()) {
                    header = header(row.getFields());
                } else if (lines.size() == MOST_ROWS) {
                    throw Problem.invalid("line " + number, "is one more than " + MOST_ROWS);
                } else {
                    lines.add(line(number, header, row.getFields()));
                }
            }
        } catch (CsvParseException | UncheckedIOException broken) {
            throw noTable(broken);
        }
        return lines;
    }

    /** The reader says in which line, and its cause says what is wrong there. */
    private static Problem noTable(RuntimeException broken) {
        String told = String.valueOf(broken.getMessage());
        Matcher place = PLACE.matcher(told);
        Throwable cause = broken.getCause();
        return Problem.invalid(
                place.find() ? place.group() : "table",
                "is no CSV: " + (cause == null ? told : cause.getMessage()));
    }

    private static Line line(int number, List<String> header, List<String> fields) {
        Map<String, String> byName = new HashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            if (i < header.size()) {
                byName.put(header.get(i), fields.get(i));
            } else if (!fields.get(i).isBlank()) {
                throw Problem.invalid("line " + number, "has more fields than the header");
            }
        }
        return new Line(number, byName);
    }

    private static List<String> header(List<String> fields) {
        List<String> names =
                fields.stream().map(it -> it.strip().toLowerCase(Locale.ROOT)).toList();
        if (!names.contains(ADDRESS)) {
            throw Problem.invalid("line 1", "must name the columns, address among them");
        }
        if (Set.copyOf(names).size() < names.size()) {
            throw Problem.invalid("line 1", "names a column twice");
        }
        if (!names.containsAll(KEAS)) {
            for (String name : names) {
                if (!OURS.contains(name)) {
                    throw Problem.invalid(
                            "line 1", "names a column that is not known: '%s'".formatted(name));
                }
            }
        }
        return names;
    }

    private static Wanted wanted(Line line) {
        String address = line.get(ADDRESS);
        if (address == null) {
            throw line.wrong("address is needed");
        }
        return new Wanted(
                line.number(),
                address,
                port(line, line.get(PORT)),
                line.get("scope"),
                new Reservation.Holder(line.name("job"), line.name("user"), line.name("token")),
                until(line));
    }

    private static @Nullable Integer port(Line line, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= LAST_PORT) {
                return port;
            }
        } catch (NumberFormatException none) {
            // Told below.
        }
        throw line.wrong("port is none: " + text);
    }

    private static @Nullable Instant until(Line line) {
        String text = line.get(UNTIL);
        if (text == null) {
            return null;
        }
        try {
            return text.indexOf('T') > 0
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException none) {
            throw line.wrong(
                    "until is neither a date (2027-03-31) nor a time (2027-03-31T12:00:00Z): "
                            + text);
        }
    }

    /**
     * Kea appends what changes: of an address the last line counts, and one that is given back has
     * no time left. What has expired has no owner.
     */
    private List<Wanted> ofKea(List<Line> lines) {
        Instant now = time.now();
        Map<String, Wanted> byAddress = new LinkedHashMap<>();
        EachRow.run(
                lines,
                line -> {
                    String address = String.valueOf(line.get(ADDRESS));
                    byAddress.remove(address);
                    Instant expires = expires(line);
                    boolean isHeld =
                            "0".equals(line.get("state"))
                                    && !"0".equals(line.get("valid_lifetime"));
                    if (isHeld && (expires == null || expires.isAfter(now))) {
                        byAddress.put(address, ofKea(line, address, expires));
                    }
                });
        return List.copyOf(byAddress.values());
    }

    private static @Nullable Instant expires(Line line) {
        if (INFINITE.equals(line.get("valid_lifetime"))) {
            return null;
        }
        try {
            return Instant.ofEpochSecond(Long.parseLong(String.valueOf(line.get("expire"))));
        } catch (NumberFormatException | DateTimeException none) {
            throw line.wrong("expire is no time: " + line.get("expire"));
        }
    }

    /** What Kea knows of the owner: what its user context says, else the host's name. */
    private Wanted ofKea(Line line, String address, @Nullable Instant until) {
        JsonNode context = context(line);
        String job = text(context, "job");
        String user = text(context, "user");
        if (job == null && user == null) {
            job = line.name("hostname");
        }
        if (job == null && user == null) {
            throw line.wrong("has neither a hostname nor a job or user in its user_context");
        }
        return new Wanted(
                line.number(),
                address,
                port(line, text(context, PORT)),
                null,
                new Reservation.Holder(job, user, null),
                until);
    }

    private JsonNode context(Line line) {
        String text = line.get("user_context");
        try {
            // It writes a comma within a field so.
            return json.readTree(text == null ? "{}" : text.replace("&#x2c", ","));
        } catch (JacksonException broken) {
            throw line.wrong("user_context is no JSON");
        }
    }

    private static @Nullable String text(JsonNode context, String name) {
        String text = context.path(name).asString("");
        return text.isBlank() || text.length() > Limits.NAME_LENGTH ? null : text.strip();
    }
}
