package org.madcast.agent.topology;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.service.ServiceOptions;
import org.madcast.client.topology.TreeFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast topology get}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "get",
        header = "Print a topology that the service keeps, as a file.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast topology get cluster > net.topology"})
final class TopologyGetCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.client().get("/v1/topologies/" + ServiceOptions.encoded(name));
        spec.commandLine()
                .getOut()
                .print(
                        service.json()
                                ? JsonWriter.string(answer) + "\n"
                                : TreeFile.text(TopologyJson.read(answer)));
        spec.commandLine().getOut().flush();
        return ExitCode.OK.code();
    }
}
