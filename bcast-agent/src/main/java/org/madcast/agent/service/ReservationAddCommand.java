package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast reservation add}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "add",
        header = "Keep a group for a job, a user or a token.",
        description = {
            "",
            "The service grants it to no other, by REST or MADCAP; its owner gets it first when it"
                    + " asks. When several of --job, --user and --holder-token are given, a request"
                    + " must have all of them. Only an operator may."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast reservation add 239.192.7.1:5000 --job weather",
            "  madcast reservation add 239.192.7.2 --user ada --until 2027-03-31",
            "  madcast reservation add '[ff18::8000:1]:5000' --holder-token slurm"
        })
final class ReservationAddCommand implements Callable<Integer> {

    private static final Pattern WITH_PORT =
            Pattern.compile("(?:\\[([^\\]]+)\\]|([^:]+)):([0-9]{1,5})");

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "GROUP",
            description =
                    "An address and a port, such as 239.192.7.1:5000 or [ff18::8000:1]:5000; or an"
                            + " address alone, on all of its ports.")
    private String group = "";

    @Option(names = "--job", paramLabel = "JOB", description = "Keep it for this job.")
    private @Nullable String job;

    @Option(
            names = "--user",
            paramLabel = "USER",
            description =
                    "Keep it for the jobs of this user; of MADCAP clients that is their address.")
    private @Nullable String user;

    @Option(
            names = "--holder-token",
            paramLabel = "NAME",
            description = "Keep it for what requests it with the token of this name.")
    private @Nullable String holderToken;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "The scope (default the smallest one that has the address).")
    private @Nullable String scope;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = TimeOfDay.class,
            description = "When it ends (default when it is removed).")
    private @Nullable Instant until;

    @Override
    public Integer call() throws InterruptedException {
        if (job == null && user == null && holderToken == null) {
            throw new ParameterException(
                    spec.commandLine(), "say for whom: --job, --user or --holder-token");
        }
        JsonObject wish = new JsonObject();
        Matcher withPort = WITH_PORT.matcher(group);
        if (withPort.matches()) {
            wish.put("address", withPort.group(1) == null ? withPort.group(2) : withPort.group(1));
            wish.put("port", Integer.parseInt(withPort.group(3)));
        } else {
            wish.put("address", group);
        }
        ServiceClient.putIfGiven(wish, "job", job);
        ServiceClient.putIfGiven(wish, "user", user);
        ServiceClient.putIfGiven(wish, "token", holderToken);
        ServiceClient.putIfGiven(wish, "scope", scope);
        ServiceClient.putIfGiven(wish, "until", until == null ? null : until.toString());
        JsonObject made = service.operatorClient().post("/v1/reservations", wish, Map.of());
        spec.commandLine()
                .getOut()
                .println(
                        service.json()
                                ? JsonWriter.string(made)
                                : "reserved " + ReservationListCommand.group(made));
        return ExitCode.OK.code();
    }
}
