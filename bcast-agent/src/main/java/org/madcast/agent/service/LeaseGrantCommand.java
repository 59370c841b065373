package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast lease grant}. */
@Command(
        name = "grant",
        header = "Lease one or more groups.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lease grant --job render-17 --duration 2h",
            "  madcast lease grant --job a --count 2 --align 2 --offset 1   # an odd address and the next",
            "  eval \"$(madcast lease grant --job j1 --shell)\"   # sets MADCAST_GROUP, ..._LEASE, ..._LEASE_SECRET"
        })
final class LeaseGrantCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--job",
            paramLabel = "JOB",
            required = true,
            description = "Whom the groups are for.")
    private String job = "";

    @Option(names = "--communicator", paramLabel = "NAME", description = "Within the job.")
    private @Nullable String communicator;

    @Option(names = "--scope", paramLabel = "SCOPE", description = "The pool to take from.")
    private @Nullable String scope;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many groups (default ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "How long, such as 30s, 10m, 1h or 2d (default ${DEFAULT-VALUE}).")
    private String duration = "";

    @Option(names = "--user", paramLabel = "NAME", description = "Who runs the job.")
    private @Nullable String user;

    @Option(
            names = "--starts-at",
            paramLabel = "TIME",
            description = "From when on, such as 2026-12-24T18:00:00Z (default now).")
    private @Nullable Instant startsAt;

    @Mixin private LeaseLayout layout = new LeaseLayout();

    @Option(names = "--shell", description = "Print assignments of shell variables.")
    private boolean shell;

    @Override
    public Integer call() throws InterruptedException {
        JsonObject request = new JsonObject();
        request.put("job", job);
        if (communicator != null) {
            request.put("communicator", communicator);
        }
        if (scope != null) {
            request.put("scope", scope);
        }
        if (user != null) {
            request.put("user", user);
        }
        if (startsAt != null) {
            request.put("startsAt", startsAt.toString());
        }
        request.put("count", count);
        layout.json().ifPresent(it -> request.put("layout", it));
        request.put("durationSeconds", seconds(spec, duration));
        Map<String, String> once = Map.of("Idempotency-Key", UUID.randomUUID().toString());
        JsonObject lease = service.client().post("/v1/leases", request, once);
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(lease));
        } else if (shell) {
            out.println("export MADCAST_GROUP='" + LeaseText.groups(lease) + "'");
            out.println("export MADCAST_LEASE='" + lease.getString("id") + "'");
            out.println("export MADCAST_LEASE_SECRET='" + lease.getString("secret") + "'");
        } else {
            out.println("group    " + LeaseText.groups(lease));
            out.println("scope    " + lease.getString("scope"));
            out.println("expires  " + lease.getString("expiresAt"));
            out.println("id       " + lease.getString("id"));
            out.println("secret   " + lease.getString("secret"));
        }
        return ExitCode.OK.code();
    }

    /** The duration that an option names. */
    static long seconds(CommandSpec spec, String duration) {
        try {
            return Units.duration(duration).toSeconds();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--duration: " + e.getMessage(), e);
        }
    }
}
