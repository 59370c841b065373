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

/** {@code madcast scope show}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "show",
        header = "Show all of a scope.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast scope show default"})
final class ScopeShowCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "The scope's name.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        JsonObject scope = service.client().get(ScopeText.path(name));
        spec.commandLine()
                .getOut()
                .println(
                        service.json()
                                ? JsonWriter.string(scope)
                                : String.join(System.lineSeparator(), ScopeText.lines(scope)));
        return ExitCode.OK.code();
    }
}
