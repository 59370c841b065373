package org.madcast.agent.leasebench;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.bench.Machine;
import org.madcast.agent.service.ServiceOptions;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast bench-leases}. */
@Command(
        name = "bench-leases",
        header = "Measure how many leases a second the service grants and takes back.",
        description = {
            "",
            "Clients each grant a lease over REST, release it, and again. Both answers come only when"
                    + " the database has written them to disk. It is done in a scope of its own,"
                    + " without quarantine, that is filled first as --fill says; then once more at half"
                    + " of the rate that was reached, for the latency of a service that is not"
                    + " overloaded. The scope is closed in the end; 'madcast serve' must be running.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast bench-leases",
            "  madcast bench-leases --fill 0,99 --clients 64 --time 30s --output result.json"
        })
public final class BenchLeasesCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--fill",
            split = ",",
            paramLabel = "PERCENT",
            defaultValue = "0,50,99",
            description = "How full the scope is, from low to high (default ${DEFAULT-VALUE}).")
    private List<Double> fills = List.of();

    @Option(
            names = "--capacity",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many addresses the scope has (default ${DEFAULT-VALUE}).")
    private int capacity;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "128",
            description = "How many requests are under way at a time (default ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long each measurement takes (default ${DEFAULT-VALUE}).")
    private String time = "";

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long to run before the first one (default ${DEFAULT-VALUE}).")
    private String warmUp = "";

    @Option(names = "--output", paramLabel = "FILE", description = "Write JSON there too.")
    private @Nullable Path output;

    /** A measurement. */
    private record Row(double fillPercent, LeaseLoad.Outcome full, LeaseLoad.Outcome half) {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        check();
        List<Row> rows = new ArrayList<>();
        PrintWriter err = spec.commandLine().getErr();
        try (BenchScope scope = new BenchScope(service.client(), capacity)) {
            LeaseLoad load =
                    new LeaseLoad(service.uri(), service.tokenHeader(), scope.name(), clients);
            load.run(duration("--warm-up", warmUp), 0);
            for (double fill : fills.stream().sorted().toList()) {
                err.println("filling to " + fill + " % ...");
                err.flush();
                scope.fillTo(fill);
                LeaseLoad.Outcome full = load.run(duration("--time", time), 0);
                LeaseLoad.Outcome half = load.run(duration("--time", time), full.perSecond() / 2);
                rows.add(new Row(fill, full, half));
            }
        }
        report(rows);
        return ExitCode.OK.code();
    }

    private void check() {
        boolean outside = fills.stream().anyMatch(it -> !(it >= 0 && it <= 100));
        if (outside || capacity < 1000 || capacity > 4_000_000 || clients < 1 || clients > 4096) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--fill is 0 to 100, --capacity 1000 to 4000000, --clients 1 to 4096");
        }
        double free = capacity * (100 - fills.stream().mapToDouble(it -> it).max().orElse(0)) / 100;
        if (free < clients) {
            throw new ParameterException(
                    spec.commandLine(),
                    "only %.0f groups would be free for %d clients; raise --capacity"
                            .formatted(free, clients));
        }
    }

    private Duration duration(String option, String text) {
        try {
            return Units.duration(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
        }
    }

    private void report(List<Row> rows) {
        PrintWriter out = spec.commandLine().getOut();
        String json = JsonWriter.indent("  ").string().object(json(rows)).done();
        if (output != null) {
            try {
                Files.writeString(output, json + "\n", StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT, "cannot write " + output + ": " + e.getMessage(), e);
            }
        }
        if (service.json()) {
            out.println(json);
            return;
        }
        Table table =
                new Table("full %", "cycles/s", "p50 ms", "p99 ms", "at half: p50 ms", "p99 ms");
        for (Row row : rows) {
            table.row(
                    number(row.fillPercent()),
                    number(row.full().perSecond()),
                    number(row.full().percentileMs(50)),
                    number(row.full().percentileMs(99)),
                    number(row.half().percentileMs(50)),
                    number(row.half().percentileMs(99)));
        }
        table.print(out);
    }

    private JsonObject json(List<Row> rows) {
        JsonObject result = new JsonObject();
        result.put("machine", Machine.describe());
        result.put("clients", clients);
        result.put("capacity", capacity);
        JsonArray array = new JsonArray();
        for (Row row : rows) {
            JsonObject each = new JsonObject();
            each.put("fillPercent", row.fillPercent());
            each.put("atFullLoad", json(row.full()));
            each.put("atHalfLoad", json(row.half()));
            array.add(each);
        }
        result.put("rows", array);
        return result;
    }

    private static JsonObject json(LeaseLoad.Outcome outcome) {
        JsonObject each = new JsonObject();
        each.put("cycles", outcome.cycles());
        each.put("seconds", outcome.seconds());
        each.put("cyclesPerSecond", outcome.perSecond());
        each.put("p50Ms", outcome.percentileMs(50));
        each.put("p99Ms", outcome.percentileMs(99));
        each.put("maxMs", outcome.percentileMs(100));
        return each;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.1f", value);
    }
}
