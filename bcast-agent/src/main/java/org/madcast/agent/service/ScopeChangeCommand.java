package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast scope change}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "change",
        header = "Change what is named of a scope, and leave the rest.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast scope change default --quarantine 5m",
            "  madcast scope change blue --closed",
            "  madcast scope change blue --open --groups-per-job 8"
        })
final class ScopeChangeCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "The scope's name.")
    private String name = "";

    @Mixin private ScopeOptions options = new ScopeOptions();

    @Override
    public Integer call() throws InterruptedException {
        ServiceClient client = service.operatorClient();
        JsonObject scope = ScopeText.properties(client.get(ScopeText.path(name)));
        JsonObject changed = client.put(ScopeText.path(name), options.over(spec, scope));
        spec.commandLine()
                .getOut()
                .println(service.json() ? JsonWriter.string(changed) : "changed scope " + name);
        return ExitCode.OK.code();
    }
}
