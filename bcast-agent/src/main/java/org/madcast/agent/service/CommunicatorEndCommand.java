package org.madcast.agent.service;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast communicator end}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "end",
        header = "End a communicator, also one with members, and release its group.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast communicator end 0198c0de-0000-7000-8000-00000000abcd"})
final class CommunicatorEndCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "ID",
            description = "Its number, as 'madcast communicator list' shows it.")
    private String id = "";

    @Override
    public Integer call() throws InterruptedException {
        String path = "/v1/communicators/" + ServiceOptions.encoded(id);
        return service.delete(spec, path, "ended");
    }
}
