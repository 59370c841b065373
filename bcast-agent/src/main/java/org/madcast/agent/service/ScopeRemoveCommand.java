package org.madcast.agent.service;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast scope remove}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "remove",
        header = "Remove a scope of which no group is in use, nor rests.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast scope remove blue"})
final class ScopeRemoveCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "The scope's name.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        return service.delete(spec, ScopeText.path(name), "removed scope " + name);
    }
}
