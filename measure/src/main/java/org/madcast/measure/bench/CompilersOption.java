package org.madcast.measure.bench;

import picocli.CommandLine.Option;

/** Which compilers the JVMs of ranks have. */
public final class CompilersOption {

    @Option(
            names = "--compilers",
            paramLabel = "first|both",
            defaultValue = "first",
            description = {
                "Which of the JVM's compilers ranks have: the first, or both, for which they are warmed"
                        + " up longer (default ${DEFAULT-VALUE})."
            })
    private Compilers compilers = Compilers.FIRST;

    /** What the user said. */
    public Compilers value() {
        return compilers;
    }
}
