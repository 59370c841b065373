package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast lease grant}. */
@ExitCodes({ExitCode.SERVICE, ExitCode.POOL_EXHAUSTED})
@Command(
        name = "grant",
        header = "Lease one or more groups.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lease grant --job render-17 --duration 2h",
            "  # for ranks: sets MADCAST_GROUP, MADCAST_LEASE, MADCAST_LEASE_SECRET",
            "  eval \"$(madcast lease grant --job j1 --format env)\"",
            "  # a cluster of JGroups' own",
            "  java $(madcast lease grant --job j1 --format jgroups) -cp ...",
            "  # such as aeron:udp?endpoint=239.192.7.9:5008|ttl=16",
            "  madcast lease grant --job j1 --format aeron",
            "  # an odd address and the next",
            "  madcast lease grant --job a --count 2 --align 2 --offset 1"
        })
final class LeaseGrantCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--job",
            paramLabel = "JOB",
            required = true,
            description = "The job that the groups are for.")
    private String job = "";

    @Option(
            names = "--communicator",
            paramLabel = "NAME",
            description = "The communicator within the job.")
    private @Nullable String communicator;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "The scope (pool) to lease from.")
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
            description =
                    "How long to lease, such as 30s, 10m, 1h or 2d (default ${DEFAULT-VALUE}).")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "What to print: ${COMPLETION-CANDIDATES} (default text). With jgroups, aeron and"
                            + " hazelcast only what the program needs goes to standard output; id and"
                            + " secret go to standard error.")
    private @Nullable LeaseFormat format;

    @Option(names = "--user", paramLabel = "NAME", description = "Who runs the job.")
    private @Nullable String user;

    @Option(
            names = "--starts-at",
            paramLabel = "TIME",
            description = "When the lease starts, such as 2026-12-24T18:00:00Z (default now).")
    private @Nullable Instant startsAt;

    @Mixin private LeaseLayout layout = new LeaseLayout();

    @Option(names = "--shell", description = "Short for --format env.")
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
        layout.json().ifPresent(it -> request.put("layout", it));
        LeaseFormat chosen = format();
        chosen.shape(request, count);
        request.put("durationSeconds", duration.toSeconds());
        Map<String, String> once = Map.of("Idempotency-Key", UUID.randomUUID().toString());
        JsonObject lease = service.client().post("/v1/leases", request, once);
        PrintWriter out = spec.commandLine().getOut();
        out.println(chosen.print(lease));
        if (!chosen.tellsSecret()) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "madcast: lease %s until %s, secret %s"
                                    .formatted(
                                            lease.getString("id"),
                                            LeaseText.time(lease, "expiresAt"),
                                            lease.getString("secret")));
        }
        return ExitCode.OK.code();
    }

    private LeaseFormat format() {
        Set<LeaseFormat> wanted = EnumSet.noneOf(LeaseFormat.class);
        if (format != null) {
            wanted.add(format);
        }
        if (service.json()) {
            wanted.add(LeaseFormat.JSON);
        }
        if (shell) {
            wanted.add(LeaseFormat.ENV);
        }
        if (wanted.size() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "use only one of --format, --json and --shell");
        }
        return wanted.stream().findAny().orElse(LeaseFormat.TEXT);
    }
}
