package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast token make}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "make",
        header = "Make a token and print it, once: the service keeps only a hash.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast token make slurm --role job",
            "  madcast token make ada --role viewer --expires 90d",
            "  madcast token make course --role job --requests-per-second 50 --groups 20",
            "  export MADCAST_TOKEN=$(madcast token make $USER --role job)"
        })
final class TokenMakeCommand implements Callable<Integer> {

    /** What a token may be for. */
    enum Role {
        VIEWER,
        JOB,
        OPERATOR
    }

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "NAME",
            description =
                    "What it is called in lists and in the service's log: small letters, digits,"
                            + " dots, dashes.")
    private String name = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            required = true,
            description =
                    "What its holder may do: viewer looks, job leases groups and reports (jobs and"
                            + " agents), operator also changes scopes, takes leases back and makes"
                            + " tokens.")
    private Role role = Role.VIEWER;

    @Mixin private TokenEnd end = new TokenEnd();

    @Option(
            names = "--requests-per-second",
            paramLabel = "N",
            description = "How many requests each replica of the service answers (default any).")
    private @Nullable Integer requestsPerSecond;

    @Option(
            names = "--groups",
            paramLabel = "N",
            description = "How many groups may be leased with it at a time (default any).")
    private @Nullable Integer groups;

    @Override
    public Integer call() throws InterruptedException {
        JsonObject wish = new JsonObject();
        wish.put("name", name);
        wish.put("role", role.name().toLowerCase(Locale.ROOT));
        end.addTo(wish, spec);
        if (requestsPerSecond != null) {
            wish.put("requestsPerSecond", requestsPerSecond);
        }
        if (groups != null) {
            wish.put("mostGroups", groups);
        }
        JsonObject made = service.operatorClient().post("/v1/tokens", wish, Map.of());
        spec.commandLine()
                .getOut()
                .println(service.json() ? JsonWriter.string(made) : made.getString("token"));
        return ExitCode.OK.code();
    }
}
