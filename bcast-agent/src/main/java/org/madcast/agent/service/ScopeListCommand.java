package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast scope list}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "list",
        header = "Show the scopes and how full they are.",
        footerHeading = "%nExamples:%n",
        footer = {"  madcast scope list", "  madcast scope list --json | jq '.items[].capacity'"})
final class ScopeListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.client().get("/v1/scopes");
        new Listing()
                .field("name", "name")
                .column("leased", it -> it.getLong("leased"))
                .column("resting", it -> it.getLong("quarantined"))
                .column("of", it -> it.getLong("capacity"))
                .column("state", it -> ScopeText.isClosed(it) ? "closed" : "open")
                .column("ranges", it -> Listing.joined(it.getArray("ranges")))
                .print(spec, service, answer, "items", "no scopes");
        return ExitCode.OK.code();
    }
}
