package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast audit}: what was done, by whom and from where. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "audit",
        header = "Show what was done, by whom and from where, the latest first.",
        description = {
            "",
            "Grants, releases, renewals by others, refusals, and changes of scopes and tokens, for a"
                    + " year. Only an operator may look. Times are universal times, unless they name"
                    + " a zone."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  # who had the group then, and who released it",
            "  madcast audit --group 239.192.17.4 --at 2026-03-03T14:00",
            "  madcast audit --what scope --from 2026-03-01T00:00 --long",
            "  madcast audit --what refused --address 10.0.0.0/8",
            "  madcast audit --follow --what lease",
            "  madcast audit --json | jq '.items[].who'"
        })
public final class AuditCommand implements Callable<Integer> {

    private static final String SIZE = "50";

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--group",
            paramLabel = "ADDRESS",
            description = "What concerns the leases of this multicast address.")
    private @Nullable String group;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            converter = TimeOfDay.class,
            description = "With --group: only the leases that had it at this time.")
    private @Nullable Instant at;

    @Option(
            names = "--what",
            paramLabel = "KIND",
            description =
                    "Only this kind, such as lease.granted, or all that begin like lease, scope,"
                            + " token, sign-in, refused.")
    private @Nullable String what;

    @Option(names = "--who", paramLabel = "NAME", description = "Only what this token did.")
    private @Nullable String who;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "Only what came from this address, or a network such as 10.0.0.0/8.")
    private @Nullable String address;

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "Only what was done to this job, scope or token.")
    private @Nullable String subject;

    @Option(names = "--lease", paramLabel = "ID", description = "Only what concerns this lease.")
    private @Nullable String lease;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeOfDay.class,
            description = "Not before, such as 2026-03-01T00:00.")
    private @Nullable Instant from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeOfDay.class,
            description = "Before this time.")
    private @Nullable Instant to;

    @Option(
            names = "--before",
            paramLabel = "N",
            description = "Only entries with lower numbers: the next page.")
    private @Nullable Integer before;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = SIZE,
            description = "The most to show (default ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--long",
            description = "All that is known, a line for each entry, however wide.")
    private boolean everything;

    @Option(
            names = "--follow",
            description =
                    "Show what is recorded from now on, as it happens, until Ctrl-C; with --what"
                            + " only that. With --json an entry a line.")
    private boolean follow;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
        wanted.put("group", group);
        wanted.put("at", at);
        wanted.put("what", what);
        wanted.put("who", who);
        wanted.put("address", address);
        wanted.put("subject", subject);
        wanted.put("lease", lease);
        wanted.put("from", from);
        wanted.put("to", to);
        wanted.put("before", before);
        if (follow) {
            return follow(wanted);
        }
        wanted.put("size", size);
        JsonObject answer = service.operatorClient().get(Listing.query("/v1/audit", wanted));
        if (everything && !service.json()) {
            answer.getArray("items", new JsonArray()).forEach(it -> printAll((JsonObject) it));
            return ExitCode.OK.code();
        }
        new Listing()
                .column("when", it -> Listing.moment(it, "at"))
                .column("what", it -> Listing.text(it, "what"))
                .field("by", "who")
                .field("to", "subject")
                .column("groups", AuditCommand::groups)
                .print(spec, service, answer, "items", "nothing that was recorded is like that");
        if (!service.json() && answer.has("next")) {
            spec.commandLine().getOut().println("older ones with --before " + answer.get("next"));
        }
        return ExitCode.OK.code();
    }

    private int follow(Map<String, @Nullable Object> wanted) throws InterruptedException {
        wanted.remove("what");
        if (wanted.values().stream().anyMatch(Objects::nonNull)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--follow goes with --what, --long and --json only");
        }
        Map<String, @Nullable Object> kinds = new LinkedHashMap<>();
        kinds.put("what", what);
        new AuditFollower(
                        service.operatorClient(),
                        Listing.query("/v1/audit/events", kinds),
                        spec.commandLine().getErr())
                .follow(this::printNew);
        return ExitCode.OK.code();
    }

    private void printNew(JsonObject entry) {
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(entry));
        } else if (everything) {
            printAll(entry);
        } else {
            out.println(
                    String.join(
                            "  ",
                            Listing.moment(entry, "at"),
                            Listing.text(entry, "what"),
                            Listing.text(entry, "subject"),
                            "by " + Listing.text(entry, "who"),
                            groups(entry)));
        }
        out.flush();
    }

    private static String groups(JsonObject entry) {
        return Listing.joined(entry.getObject("detail", new JsonObject()).getArray("groups"));
    }

    private void printAll(JsonObject entry) {
        StringBuilder line = new StringBuilder(Listing.moment(entry, "at"));
        for (String field : new String[] {"what", "subject"}) {
            line.append("  ").append(Listing.text(entry, field));
        }
        line.append("  by ").append(Listing.text(entry, "who"));
        line.append(" (").append(Listing.text(entry, "role")).append(") from ");
        line.append(Listing.text(entry, "address"));
        line.append(" request ").append(Listing.text(entry, "requestId"));
        if (entry.has("lease")) {
            line.append(" lease ").append(entry.getString("lease"));
        }
        line.append("  ").append(JsonWriter.string(entry.getObject("detail")));
        spec.commandLine().getOut().println(line);
    }
}
