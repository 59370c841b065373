package org.madcast.agent.cluster;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.lab.Lab;
import org.madcast.lab.LabException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast lab down}. */
@ExitCodes(ExitCode.LAB)
@Command(
        name = "down",
        header = "Take labs down, and end every process inside.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lab down rack",
            "  madcast lab down --left-over   # those whose creators have died",
            "  madcast lab down --all         # also those that are in use"
        })
final class LabDownCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "Which labs (default the one named lab).")
    private List<String> names = new ArrayList<>();

    @Option(names = "--all", description = "Every lab of this machine.")
    private boolean all;

    @Option(names = "--left-over", description = "Labs whose creators have died.")
    private boolean leftOver;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            if (leftOver) {
                List<String> reaped = Lab.reap();
                out.println(reaped.isEmpty() ? "nothing is left over" : "took down " + reaped);
            } else {
                for (Lab lab : chosen()) {
                    lab.close();
                    out.println("took down " + lab.spec().name());
                }
            }
        } catch (LabException e) {
            throw new CommandFailure(
                    ExitCode.LAB, "the lab could not be taken down: " + e.getMessage(), e);
        }
        return ExitCode.OK.code();
    }

    private List<Lab> chosen() {
        if (all) {
            return Lab.list();
        }
        return (names.isEmpty() ? List.of("lab") : names).stream().map(this::named).toList();
    }

    private Lab named(String name) {
        return Lab.find(name)
                .orElseThrow(() ->
                        new CommandFailure(
                                ExitCode.LAB,
                                "no lab is named '"
                                        + name
                                        + "'; 'madcast lab status' shows those that are up"));
    }
}
