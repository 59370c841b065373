package org.madcast.agent.service;

import java.util.Map;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast lease release}. */
@ExitCodes({ExitCode.SERVICE, ExitCode.NO_SUCH_LEASE})
@Command(
        name = "release",
        header = "Give a lease's groups back before their time.",
        footerHeading = "%nExample:%n",
        footer = "  MADCAST_LEASE_SECRET=... madcast lease release ID")
final class LeaseReleaseCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();
    @Mixin private LeaseHolder holder = new LeaseHolder();

    @Option(
            names = "--force",
            description =
                    "Take it back without its secret, with an operator's token; whose it is may send"
                            + " to its groups until the next renewal.")
    private boolean force;

    @Override
    public Integer call() throws InterruptedException {
        if (force) {
            service.operatorClient().delete(holder.path() + "?force=true", Map.of());
        } else {
            service.client().delete(holder.path(), holder.headers());
        }
        spec.commandLine().getOut().println(service.json() ? "{\"released\":true}" : "released");
        return ExitCode.OK.code();
    }
}
