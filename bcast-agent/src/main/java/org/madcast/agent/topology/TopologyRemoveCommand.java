package org.madcast.agent.topology;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.service.ServiceOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast topology remove}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "remove",
        header = "Remove a topology from the service; ranks that have it keep it.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast topology remove cluster"})
final class TopologyRemoveCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        String path = "/v1/topologies/" + ServiceOptions.encoded(name);
        return service.delete(spec, path, "removed topology " + name);
    }
}
