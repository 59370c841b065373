package org.madcast.agent;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command said and ended with, run inside of the test. */
public record Outcome(int code, String out, String err) {

    public static Outcome of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        return new Outcome(code, out.toString(), err.toString());
    }
}
