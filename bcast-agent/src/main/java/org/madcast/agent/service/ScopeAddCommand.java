package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast scope add}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "add",
        header = "Make a scope: addresses that may be leased, and by which rules.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast scope add blue --range 239.195.0.0/16 --ttl 4",
            "  madcast scope add lab --range 239.255.7.0/24 --port 6000-6999 --segment lab"
        })
final class ScopeAddCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "NAME",
            description = "What it is called: small letters, digits, dashes.")
    private String name = "";

    @Mixin private ScopeOptions options = new ScopeOptions();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject made =
                service.operatorClient()
                        .post(ScopeText.path(name), options.over(spec, new JsonObject()), Map.of());
        spec.commandLine()
                .getOut()
                .println(service.json() ? JsonWriter.string(made) : "made scope " + name);
        return ExitCode.OK.code();
    }
}
