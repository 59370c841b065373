package org.madcast.measure.leasebench;

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
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.service.ServiceOptions;
import org.madcast.agent.terminal.Machine;
import org.madcast.agent.terminal.ResultFile;
import org.madcast.agent.terminal.Table;
import org.madcast.madcap.NetAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast bench-leases}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.SERVICE, ExitCode.POOL_EXHAUSTED})
@Command(
        name = "bench-leases",
        header = "Measure how many leases per second the service grants and takes back.",
        description = {
            "",
            "Each client leases a group over REST, releases it, and starts again. Both answers come only"
                    + " when the database has written them to disk. This happens in a scope of its own,"
                    + " without quarantine, which is first filled as --fill says; then once more at half"
                    + " of the rate that was reached, for the latency of a service that is not"
                    + " overloaded. The scope is closed in the end; 'madcast serve' must be running.",
            "",
            "With --madcap, clients instead lease by RFC 2730, from DISCOVER to ACK, and release"
                    + " everything after the measurement; two leases with one address are a failure.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast bench-leases",
            "  madcast bench-leases --fill 0,99 --clients 64 --time 30s --output result.json",
            "  madcast bench-leases --madcap 127.0.0.1 --time 20s"
        })
public final class BenchLeasesCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--fill",
            split = ",",
            paramLabel = "PERCENT",
            defaultValue = "0,50,99",
            description = "How full the scope is, in ascending order (default ${DEFAULT-VALUE}).")
    private List<Double> fills = List.of();

    @Option(
            names = "--capacity",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many addresses the scope has (default ${DEFAULT-VALUE}).")
    @Range(from = 1000, to = 4_000_000)
    private int capacity;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "128",
            description = "How many requests are in flight at a time (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 4096)
    private int clients;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long each measurement takes (default ${DEFAULT-VALUE}).")
    private Duration time = Duration.ZERO;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "10s",
            description =
                    "How long to run before the first measurement (default ${DEFAULT-VALUE}).")
    private Duration warmUp = Duration.ZERO;

    @Option(
            names = "--madcap",
            paramLabel = "HOST[:PORT]",
            description = "Measure the MADCAP server there (port 2535) instead of REST.")
    private @Nullable String madcap;

    @Option(
            names = "--madcap-scope",
            paramLabel = "ADDRESS",
            defaultValue = "239.192.0.0",
            description = "The scope's lowest address (default ${DEFAULT-VALUE}).")
    private String madcapScope = "";

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Also write the result to this file, as JSON.")
    private @Nullable Path output;

    /** A measurement. */
    private record Row(double fillPercent, Outcome full, Outcome half) {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        check();
        ResultFile.requireWritable(output, "--output");
        if (madcap == null) {
            leases();
        } else {
            madcap(madcap);
        }
        return ExitCode.OK.code();
    }

    private void madcap(String server) throws InterruptedException {
        MadcapLoad load =
                Arguments.read(
                        spec,
                        () ->
                                new MadcapLoad(
                                        MadcapLoad.server(server),
                                        NetAddress.parse(madcapScope),
                                        clients));
        load.warmUp(warmUp);
        Outcome full = load.run(time, 0);
        Outcome half = load.run(time, full.perSecond() / 2);
        JsonObject result = new JsonObject();
        conditions(result);
        result.put("atFullLoad", full.toJson("exchanges"));
        result.put("atHalfLoad", half.toJson("exchanges"));
        Table table = new Table("exchanges/s", "p50 ms", "p99 ms", "at half: p50 ms", "p99 ms");
        table.row(
                number(full.perSecond()),
                number(full.percentileMs(50)),
                number(full.percentileMs(99)),
                number(half.percentileMs(50)),
                number(half.percentileMs(99)));
        report(result, table);
    }

    private void leases() throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        PrintWriter err = spec.commandLine().getErr();
        try (BenchScope scope = new BenchScope(service.operatorClient(), capacity)) {
            LeaseLoad load =
                    new LeaseLoad(service.uri(), service.tokenHeader(), scope.name(), clients);
            load.run(warmUp, 0);
            for (double fill : fills.stream().sorted().toList()) {
                err.println("filling to " + fill + " % ...");
                err.flush();
                scope.fillTo(fill);
                Outcome full = load.run(time, 0);
                Outcome half = load.run(time, full.perSecond() / 2);
                rows.add(new Row(fill, full, half));
            }
        }
        report(json(rows), table(rows));
    }

    private void check() {
        if (fills.stream().anyMatch(it -> !(it >= 0 && it <= 100))) {
            throw Arguments.wrong(spec, "--fill is 0 to 100");
        }
        double free = capacity * (100 - fills.stream().mapToDouble(it -> it).max().orElse(0)) / 100;
        if (free < clients) {
            throw Arguments.wrong(
                    spec,
                    "only %.0f groups would be free for %d clients; raise --capacity"
                            .formatted(free, clients));
        }
    }

    private void report(JsonObject result, Table table) {
        PrintWriter out = spec.commandLine().getOut();
        String json = JsonWriter.indent("  ").string().object(result).done();
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
        } else {
            table.print(out);
        }
    }

    private static Table table(List<Row> rows) {
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
        return table;
    }

    private JsonObject json(List<Row> rows) {
        JsonObject result = new JsonObject();
        conditions(result);
        result.put("capacity", capacity);
        JsonArray array = new JsonArray();
        for (Row row : rows) {
            JsonObject each = new JsonObject();
            each.put("fillPercent", row.fillPercent());
            each.put("atFullLoad", row.full().toJson("cycles"));
            each.put("atHalfLoad", row.half().toJson("cycles"));
            array.add(each);
        }
        result.put("rows", array);
        return result;
    }

    private void conditions(JsonObject result) {
        result.put("machine", Machine.describe());
        result.put("clients", clients);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.1f", value);
    }
}
