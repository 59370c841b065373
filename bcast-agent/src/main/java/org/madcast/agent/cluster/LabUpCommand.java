package org.madcast.agent.cluster;

import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.process.Cleanup;
import org.madcast.lab.Lab;
import org.madcast.lab.LabCapability;
import org.madcast.lab.LabException;
import org.madcast.lab.LabSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast lab up}. */
@ExitCodes(ExitCode.LAB)
@Command(
        name = "up",
        header = "Set up a lab that stays until 'madcast lab down'.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lab up",
            "  madcast lab up --name tree --hosts 24 --switches 3 --rate 1gbit --loss 0.5"
        })
final class LabUpCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "lab",
            description =
                    "The lab's name, 1 to 10 lower-case letters and digits (default ${DEFAULT-VALUE}).")
    private String name = "";

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many hosts, 1 to 64 (default ${DEFAULT-VALUE}).")
    private int hosts;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description = "The rate of a link, such as 1gbit, or none (default ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description =
                    "Percentage of arriving datagrams that each host loses (default ${DEFAULT-VALUE}).")
    private double loss;

    @Option(
            names = "--switches",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many switches, in a tree (default ${DEFAULT-VALUE}).")
    private int switches;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    private volatile boolean done;

    @Override
    public Integer call() {
        LabSpec wanted = Arguments.read(spec, this::wanted);
        if (LabCapability.check() instanceof LabCapability.Unavailable why) {
            throw new CommandFailure(ExitCode.LAB, why.reason() + "; " + why.cure());
        }
        Lab lab = up(wanted);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonWriter.string(LabText.json(lab)));
        } else {
            out.println(LabText.line(lab));
            out.println("enter a host with: ip netns exec " + lab.host(0).namespace() + " COMMAND");
            out.println("take it down with: madcast lab down " + wanted.name());
        }
        return ExitCode.OK.code();
    }

    private Lab up(LabSpec wanted) {
        if (Lab.find(wanted.name()).isPresent()) {
            throw new CommandFailure(
                    ExitCode.LAB,
                    "a lab named '"
                            + wanted.name()
                            + "' is up already; take it down with 'madcast lab down "
                            + wanted.name()
                            + "' or choose another --name");
        }
        try (Cleanup cleanup = Cleanup.atExit(this::interrupted)) {
            Lab lab = cleanup.make(() -> Lab.up(wanted), this::closeUnlessDone);
            done = !cleanup.closing();
            return lab;
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        } catch (LabException e) {
            throw new CommandFailure(
                    ExitCode.LAB, "the lab could not be set up: " + e.getMessage(), e);
        }
    }

    private void interrupted() {
        PrintWriter err = spec.commandLine().getErr();
        err.println("madcast: interrupted, taking down lab " + name);
        err.flush();
    }

    private void closeUnlessDone(Lab lab) {
        if (!done) {
            lab.close();
        }
    }

    private LabSpec wanted() {
        return LabSpec.builder()
                .name(name)
                .hosts(hosts)
                .rate(rate)
                .lossPercent(loss)
                .switches(switches)
                .detached(true)
                .build();
    }
}
