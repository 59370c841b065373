package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast webhook list}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "list",
        header = "Show where entries of the audit are sent, and how that goes.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast webhook list"})
final class WebhookListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.operatorClient().get("/v1/webhooks");
        new Listing()
                .field("name", "name")
                .column("sent", it -> it.getLong("told"))
                .column("waiting", it -> it.getLong("waiting"))
                .column("dropped", it -> it.getLong("dropped"))
                .column("state", it -> it.has("failingSince") ? failing(it) : "fine")
                .field("url", "url")
                .print(spec, service, answer, "items", "no webhooks");
        return ExitCode.OK.code();
    }

    private static String failing(JsonObject hook) {
        return Listing.text(hook, "lastFailure");
    }
}
