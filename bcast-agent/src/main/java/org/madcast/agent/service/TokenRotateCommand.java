package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast token rotate}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "rotate",
        header = "Make a token's successor and print it, once. For a while both are good.",
        description = {
            "",
            "The successor has the same name, role and limits, and what was made with its predecessor"
                    + " belongs to it."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast token rotate slurm",
            "  madcast token rotate slurm --overlap 0s     # leaked: the old one ends now"
        })
final class TokenRotateCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "Its name, as 'madcast token list' shows it.")
    private String name = "";

    @Option(
            names = "--overlap",
            paramLabel = "TIME",
            defaultValue = "1d",
            description = "How long its predecessor is good beside it (default ${DEFAULT-VALUE}).")
    private String overlap = "";

    @Mixin private TokenEnd end = new TokenEnd();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject wish = new JsonObject();
        try {
            wish.put("overlapSeconds", Units.duration(overlap).toSeconds());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(
                    spec.commandLine(), "--overlap: " + wrong.getMessage(), wrong);
        }
        end.addTo(wish, spec);
        String path = "/v1/tokens/" + ServiceOptions.encoded(name) + "/rotation";
        JsonObject made = service.operatorClient().post(path, wish, Map.of());
        spec.commandLine()
                .getOut()
                .println(service.json() ? JsonWriter.string(made) : made.getString("token"));
        return ExitCode.OK.code();
    }
}
