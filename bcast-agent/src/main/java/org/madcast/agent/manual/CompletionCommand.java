package org.madcast.agent.manual;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast completion}. */
@Command(
        name = "completion",
        header = "Print a script by which bash and zsh complete commands and options.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(madcast completion)                 for this shell",
            "  madcast completion > /etc/bash_completion.d/madcast"
        })
public final class CompletionCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        String script = CompletionScript.of(spec.root().commandLine());
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
        return ExitCode.OK.code();
    }
}
