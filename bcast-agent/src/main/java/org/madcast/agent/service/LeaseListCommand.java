package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast lease list}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "list",
        header = "Show the leases.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lease list",
            "  madcast lease list --state all --job render-17",
            "  madcast lease list --json | jq -r '.items[].groups[].address'"
        })
final class LeaseListCommand implements Callable<Integer> {

    private static final String SIZE = "50";

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(names = "--job", paramLabel = "JOB", description = "Only leases of this job.")
    private @Nullable String job;

    @Option(names = "--scope", paramLabel = "SCOPE", description = "Only leases from this scope.")
    private @Nullable String scope;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            defaultValue = "active",
            description =
                    "Only leases in this state: active, scheduled, released, expired or all (default"
                            + " ${DEFAULT-VALUE}).")
    private String state = "";

    @Option(
            names = "--page",
            paramLabel = "N",
            defaultValue = "0",
            description = "Which page to show, counted from 0.")
    private int page;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = SIZE,
            description = "Leases per page (default ${DEFAULT-VALUE}).")
    private int size;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
        wanted.put("page", page);
        wanted.put("size", size);
        wanted.put("job", job);
        wanted.put("scope", scope);
        wanted.put("state", state.equalsIgnoreCase("all") ? null : state.toUpperCase(Locale.ROOT));
        JsonObject answer = service.client().get(Listing.query("/v1/leases", wanted));
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(answer));
        } else {
            print(out, answer);
        }
        return ExitCode.OK.code();
    }

    private void print(PrintWriter out, JsonObject answer) {
        JsonArray items = answer.getArray("items", new JsonArray());
        long total = answer.getLong("total");
        if (items.isEmpty()) {
            out.println(total == 0 ? "no leases" : "no leases on page " + page);
            return;
        }
        Table table = new Table("groups", "scope", "job", "state", "expires", "id");
        for (int i = 0; i < items.size(); i++) {
            JsonObject lease = items.getObject(i);
            table.row(
                    LeaseText.groups(lease),
                    lease.getString("scope"),
                    lease.getString("job"),
                    lease.getString("state").toLowerCase(Locale.ROOT),
                    LeaseText.time(lease, "expiresAt"),
                    lease.getString("id"));
        }
        table.print(out);
        if (items.size() < total) {
            out.println(items.size() + " of " + total + "; " + more(total));
        }
    }

    private String more(long total) {
        String size = this.size == Integer.parseInt(SIZE) ? "" : " --size " + this.size;
        return (page + 1L) * this.size < total
                ? "more with --page " + (page + 1) + size
                : "the others with --page " + Math.max(0, page - 1) + size;
    }
}
