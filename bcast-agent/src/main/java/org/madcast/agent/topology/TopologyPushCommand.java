package org.madcast.agent.topology;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.service.ServiceOptions;
import org.madcast.client.topology.SwitchTree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast topology push}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.SERVICE})
@Command(
        name = "push",
        header = "Keep a topology in the service, for the ranks that meet on its hosts.",
        description = {
            "",
            "Ranks are known by their addresses and their hosts' names, so 'rank' lines are left"
                    + " out. Of several topologies that have all hosts of a job, the one that was"
                    + " pushed last is used."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast topology push cluster net.topology",
            "  madcast topology push cluster /etc/slurm/topology.conf"
        })
final class TopologyPushCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "What it is called; it takes the place of one of this name.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = "A topology, or Slurm's topology.conf.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws InterruptedException {
        SwitchTree tree = PlacedTopology.read(file).tree();
        JsonObject kept =
                service.operatorClient()
                        .put(
                                "/v1/topologies/" + ServiceOptions.encoded(name),
                                TopologyJson.write(tree));
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(kept));
        } else {
            out.printf(
                    "keeps topology %s: %d %s, %d hosts%s%n",
                    name,
                    tree.switches(),
                    tree.switches() == 1 ? "switch" : "switches",
                    tree.hosts(),
                    tree.ranks().isEmpty() ? "" : ", without the file's ranks");
        }
        return ExitCode.OK.code();
    }
}
