package org.madcast.agent.service;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast webhook remove}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "remove",
        header = "Tell a receiver nothing more.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast webhook remove inventory"})
final class WebhookRemoveCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        String path = "/v1/webhooks/" + ServiceOptions.encoded(name);
        return service.delete(spec, path, "removed webhook " + name);
    }
}
