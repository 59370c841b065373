package org.madcast.agent.example;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.Machine;
import org.madcast.agent.terminal.Table;

/**
 * The times of an application on one rank alone, with blocking calls and overlapped.
 *
 * @param processors which all ranks share
 */
record ExampleResult(
        ExampleOptions options, int processors, Form alone, Form blocking, Form overlapped) {

    /**
     * The time of one form.
     *
     * @param seconds until the last rank was done
     * @param communication seconds in calls of the library, the mean of the ranks
     */
    record Form(double seconds, double communication) {

        private static Form of(Map<String, String> values) {
            return new Form(
                    Double.parseDouble(values.getOrDefault("seconds", "")),
                    Double.parseDouble(values.getOrDefault("communication", "")));
        }
    }

    /**
     * Reads the lines of {@code key=value} that the ranks said.
     *
     * @throws CommandFailure when a line is missing
     */
    static ExampleResult of(ExampleOptions options, List<String> lines) {
        Map<String, Form> forms = new HashMap<>();
        int processors = 0;
        try {
            for (String line : lines) {
                Map<String, String> values = values(line);
                if (values.containsKey("form")) {
                    forms.put(values.getOrDefault("form", ""), Form.of(values));
                } else if (values.containsKey("processors")) {
                    processors = Integer.parseInt(values.getOrDefault("processors", ""));
                }
            }
        } catch (NumberFormatException e) {
            throw new CommandFailure(ExitCode.RANK, "a rank said no number: " + e.getMessage(), e);
        }
        return new ExampleResult(
                options,
                processors,
                form(forms, "alone"),
                form(forms, "blocking"),
                form(forms, "overlapped"));
    }

    private static Form form(Map<String, Form> forms, String name) {
        Form form = forms.get(name);
        if (form == null) {
            throw new CommandFailure(ExitCode.RANK, "no rank said how long '" + name + "' took");
        }
        return form;
    }

    private static Map<String, String> values(String line) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return values;
    }

    /** How much of the communication time of the blocking form overlap hid, in percent. */
    double hiddenPercent() {
        return 100 * (1 - overlapped.communication / blocking.communication);
    }

    /** What a person reads, each line of at most 80 columns. */
    List<String> lines() {
        Application application = options.application();
        List<String> lines = new ArrayList<>();
        lines.add(application.title() + ", " + options.size() + " " + application.sizeOf());
        lines.add(options.place());
        lines.add("");
        Table table = new Table("FORM", "TIME", "SPEED-UP", "COMMUNICATION", "SHARE");
        row(table, "one rank alone", alone);
        row(table, "blocking", blocking);
        row(table, "overlapped", overlapped);
        lines.addAll(table.lines());
        lines.add("");
        lines.add("The result is that of one rank alone.");
        if (options.ranks() > 1) {
            lines.add(saved());
        }
        if (options.ranks() > processors) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "The ranks share %d processors: the speed-up is at most %d.",
                            processors,
                            processors));
        }
        lines.add("");
        lines.add("Reported of such a program:");
        application.reported().forEach(line -> lines.add("  " + line));
        return lines;
    }

    private String saved() {
        double seconds = blocking.seconds - overlapped.seconds;
        double hidden = hiddenPercent();
        return String.format(
                Locale.ROOT,
                "Overlap %s %.2f s of %.2f s and %s.",
                seconds >= 0 ? "saved" : "cost",
                Math.abs(seconds),
                blocking.seconds,
                hidden >= 0
                        ? String.format(Locale.ROOT, "hid %.0f %% of the communication", hidden)
                        : "hid no communication");
    }

    private void row(Table table, String name, Form form) {
        table.row(
                name,
                String.format(Locale.ROOT, "%.3f s", form.seconds),
                String.format(Locale.ROOT, "%.2f", alone.seconds / form.seconds),
                String.format(Locale.ROOT, "%.3f s", form.communication),
                String.format(Locale.ROOT, "%.0f %%", 100 * form.communication / form.seconds));
    }

    /** The launch whose overlap hid the median; of an even number, the worse of the two. */
    static ExampleResult median(List<ExampleResult> launches) {
        return launches.stream()
                .sorted(Comparator.comparingDouble(ExampleResult::hiddenPercent))
                .toList()
                .get((launches.size() - 1) / 2);
    }

    /** All launches as a file of {@code benchmarks/results}. */
    static String json(List<ExampleResult> launches) {
        ExampleResult first = launches.getFirst();
        ExampleOptions options = first.options;
        String claim = options.application().label() + ", " + options.place();
        JsonArray records = new JsonArray();
        records.add(record(claim, "time, blocking", "s", launches, it -> it.blocking.seconds));
        records.add(record(claim, "time, overlapped", "s", launches, it -> it.overlapped.seconds));
        records.add(
                record(
                        claim,
                        "communication, blocking",
                        "s",
                        launches,
                        it -> it.blocking.communication));
        records.add(
                record(
                        claim,
                        "communication, overlapped",
                        "s",
                        launches,
                        it -> it.overlapped.communication));
        if (options.ranks() > 1) {
            JsonObject hidden =
                    record(
                            claim,
                            "communication hidden",
                            "%",
                            launches,
                            ExampleResult::hiddenPercent);
            hidden.put("bar", 50);
            hidden.put("direction", "at least");
            records.add(hidden);
        }
        JsonObject machine = Machine.describe();
        JsonObject file = new JsonObject();
        file.put("area", "applications");
        file.put(
                "command",
                options.command() + (launches.size() > 1 ? " --launches " + launches.size() : ""));
        file.put(
                "machine",
                first.processors
                        + " processors, "
                        + machine.getString("processor")
                        + ", "
                        + machine.getString("system")
                        + ", JDK "
                        + Runtime.version().feature());
        file.put("date", Instant.now().toString().substring(0, 16));
        file.put("records", records);
        return JsonWriter.indent("  ").string().value(file).done();
    }

    private static JsonObject record(
            String claim,
            String metric,
            String unit,
            List<ExampleResult> launches,
            ToDoubleFunction<ExampleResult> value) {
        JsonArray values = new JsonArray();
        for (ExampleResult launch : launches) {
            values.add(Math.round(value.applyAsDouble(launch) * 1000) / 1000.0);
        }
        JsonObject record = new JsonObject();
        record.put("claim", claim);
        record.put("metric", metric);
        record.put("unit", unit);
        record.put("values", values);
        return record;
    }
}
