package org.madcast.agent;

import picocli.CommandLine.Option;

/** The options that every command has. */
public final class OutputOptions {

    @Option(
            names = {"-v", "--verbose"},
            description = "Say more: stack traces of errors, the commands that are run.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    /** True with {@code -v}. */
    public boolean verbose() {
        return verbose;
    }
}
