package org.madcast.agent.service;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast token revoke}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "revoke",
        header = "Let the holder of a token in no more, within seconds.",
        footerHeading = "%nExamples:%n",
        footer = "  madcast token revoke slurm")
final class TokenRevokeCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "NAME", description = "Its name, as 'madcast token list' shows it.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        String path = "/v1/tokens/" + ServiceOptions.encoded(name);
        return service.delete(spec, path, "revoked " + name);
    }
}
