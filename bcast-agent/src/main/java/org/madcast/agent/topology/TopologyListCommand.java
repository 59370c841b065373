package org.madcast.agent.topology;

import com.grack.nanojson.JsonObject;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.service.Listing;
import org.madcast.agent.service.ServiceOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast topology list}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "list",
        header = "Show which topologies the service keeps.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast topology list"})
final class TopologyListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.client().get("/v1/topologies");
        new Listing()
                .field("name", "name")
                .column("switches", it -> it.getLong("switches"))
                .column("hosts", it -> it.getLong("hosts"))
                .column("pushed", it -> Listing.moment(it, "madeAt"))
                .field("by", "madeBy")
                .print(spec, service, answer, "items", "no topologies");
        return ExitCode.OK.code();
    }
}
