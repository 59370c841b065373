package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast node list}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "list",
        header = "Show the nodes whose agents reported in the last day.",
        footerHeading = "%nExamples:%n",
        footer = {"  madcast node list", "  madcast node list --json | jq '.items[].name'"})
final class NodeListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--after",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Only nodes whose names come after this one: the next thousand.")
    private String after = "";

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer =
                service.client().get("/v1/nodes?after=" + ServiceOptions.encoded(after));
        new Listing()
                .column("name", it -> NodeText.of(it, "name"))
                .column("state", NodeText::state)
                .column("address", it -> NodeText.of(it, "address"))
                .column("version", it -> NodeText.of(it, "version"))
                .column("seen", it -> Listing.moment(it, "seenAt"))
                .print(spec, service, answer, "items", "no agent has reported");
        return ExitCode.OK.code();
    }
}
