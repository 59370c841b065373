package org.madcast.agent.cluster;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
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
import picocli.CommandLine.Spec;

/** {@code madcast lab status}. */
@ExitCodes(ExitCode.LAB)
@Command(
        name = "status",
        header = "Show the labs of this machine.",
        footerHeading = "%nExample:%n",
        footer = "  madcast lab status --json | jq -r '.[].name'")
final class LabStatusCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Lab> labs = list();
        if (json) {
            JsonArray array = new JsonArray();
            labs.forEach(lab -> array.add(LabText.json(lab)));
            out.println(JsonWriter.string(array));
        } else if (labs.isEmpty()) {
            out.println("no lab is up; make one with 'madcast lab up'");
        } else {
            labs.forEach(lab -> out.println(LabText.line(lab)));
        }
        return ExitCode.OK.code();
    }

    private static List<Lab> list() {
        try {
            return Lab.list();
        } catch (LabException e) {
            throw new CommandFailure(
                    ExitCode.LAB, "the labs cannot be listed: " + e.getMessage(), e);
        }
    }
}
