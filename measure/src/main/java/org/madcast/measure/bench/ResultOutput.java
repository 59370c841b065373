package org.madcast.measure.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.ResultFile;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Where a result goes: tables to the terminal, JSON to a file or, in their place, to the output.
 */
public final class ResultOutput {

    /** A result in both forms. */
    public interface Report {

        /** Prints the tables. */
        void print(PrintWriter out);

        /** The JSON, indented. */
        String json();
    }

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the result to this file; - prints it instead of the table.")
    private @Nullable Path json;

    /**
     * Better to know before a measurement than after.
     *
     * @throws CommandFailure when the result could not be written
     */
    public void requireWritable() {
        if (!isStandardOutput()) {
            ResultFile.requireWritable(json, "--json");
        }
    }

    /**
     * Prints and writes a result.
     *
     * @return what the command ends with
     */
    public int publish(CommandLine command, Report report, List<Row> rows) throws IOException {
        PrintWriter out = command.getOut();
        if (isStandardOutput()) {
            out.println(report.json());
        } else {
            report.print(out);
            if (json != null) {
                Files.writeString(json, report.json() + "\n");
            }
        }
        out.flush();
        if (rows.stream().anyMatch(row -> row.corrupt() > 0)) {
            command.getErr()
                    .println(
                            "madcast: ranks received bytes other than those sent; please report"
                                    + " this");
            return ExitCode.CHECKSUM.code();
        }
        return ExitCode.OK.code();
    }

    /** Prints what there is of a result; nothing where scripts read the whole one. */
    public void show(CommandLine command, Report report) {
        if (!isStandardOutput()) {
            report.print(command.getOut());
            command.getOut().flush();
        }
    }

    private boolean isStandardOutput() {
        return json != null && json.toString().equals("-");
    }
}
