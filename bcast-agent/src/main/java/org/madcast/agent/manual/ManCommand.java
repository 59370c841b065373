package org.madcast.agent.manual;

import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast man}. */
@Command(
        name = "man",
        header = "Print the manual page.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast man | man -l -",
            "  madcast man > /usr/local/share/man/man1/madcast.1"
        })
public final class ManCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(new ManPage(spec.root()).text());
        spec.commandLine().getOut().flush();
        return ExitCode.OK.code();
    }
}
