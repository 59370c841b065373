package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast import}: the state of another service, or a table of groups. */
@ExitCodes({ExitCode.SERVICE, ExitCode.NO_INPUT})
@Command(
        name = "import",
        header = "Put a state that was exported, or a table of groups, into the service.",
        description = {
            "",
            "A state goes into a service of the same version that has granted nothing yet. A table"
                    + " (CSV) has the header address,port,job,until, where address alone is needed"
                    + " and user, token and scope may be added; or it is a lease file of ISC Kea. Its"
                    + " rows become reservations or leases. All is read, or when anything is wrong,"
                    + " nothing. Only an operator may."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast import madcast-state.jsonl --service http://new:8730",
            "  madcast import groups.csv --dry-run",
            "  madcast import /var/lib/kea/kea-leases4.csv --as leases --json > secrets.json"
        })
public final class ImportCommand implements Callable<Integer> {

    /** What the rows of a table become. */
    enum Kind {
        RESERVATIONS,
        LEASES
    }

    private static final String RESERVATIONS = "reservations";

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "FILE", description = "What 'madcast export' wrote, or a table (CSV).")
    private Path file = Path.of("");

    @Option(
            names = "--as",
            paramLabel = "WHAT",
            description =
                    "What the rows of a table become: reservations (default) or leases, whose"
                            + " secrets are printed.")
    private @Nullable Kind as;

    @Option(
            names = "--dry-run",
            description = "Change nothing, and say what is wrong with a table.")
    private boolean dryRun;

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer;
        boolean table;
        try (InputStream content = new BufferedInputStream(Files.newInputStream(file))) {
            content.mark(1);
            table = content.read() != '{';
            content.reset();
            if (!table && (dryRun || as != null)) {
                throw new ParameterException(
                        spec.commandLine(), "--dry-run and --as are for tables (CSV)");
            }
            answer =
                    table
                            ? service.operatorClient()
                                    .upload("POST", tablePath(), "text/csv", content)
                            : service.operatorClient()
                                    .upload("PUT", "/v1/state", ServiceClient.STATE, content);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " cannot be read; name what was exported", e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(answer));
        } else if (table) {
            printTable(answer, out);
        } else {
            Table rows = new Table("table", "rows");
            answer.getObject("rows", new JsonObject()).forEach(rows::row);
            rows.print(out);
        }
        return ExitCode.OK.code();
    }

    private String tablePath() {
        return "/v1/import?dryRun=%s&as=%s".formatted(dryRun, as == null ? Kind.RESERVATIONS : as);
    }

    private void printTable(JsonObject answer, PrintWriter out) {
        if (answer.has(RESERVATIONS)) {
            ReservationListCommand.listing()
                    .print(spec, service, answer, RESERVATIONS, "no reservations");
        } else {
            JsonArray leases = answer.getArray("leases", new JsonArray());
            for (int i = 0; i < leases.size(); i++) {
                JsonObject lease = leases.getObject(i);
                out.printf(
                        "%s for %s until %s%n    %s %s%n",
                        LeaseText.groups(lease),
                        lease.getString("job"),
                        LeaseText.time(lease, "expiresAt"),
                        lease.getString("id"),
                        lease.getString("secret", ""));
            }
        }
        out.printf(
                "%s: %d %s%n",
                dryRun ? "nothing is wrong, nothing was changed" : "imported",
                answer.getInt("rows"),
                (as == null ? Kind.RESERVATIONS : as).name().toLowerCase(Locale.ROOT));
    }
}
