package org.madcast.agent.example;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Installation;

/**
 * The source file of an application, with what it shares with the others.
 *
 * @param file where it is
 */
record ExampleSource(Path file) {

    private static final String DIRECTORY = "examples/applications";

    /**
     * Finds it.
     *
     * @throws CommandFailure when this installation has no examples
     */
    static ExampleSource of(Application application) {
        Path home = Path.of(System.getProperty(Installation.HOME_PROPERTY, ""));
        Path file = home.resolve(DIRECTORY).resolve(application.program() + ".java");
        if (!Files.isReadable(file)) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    file + " is missing; run 'madcast example' from a checkout of the sources");
        }
        return new ExampleSource(file);
    }

    /**
     * Compiles it once for all ranks.
     *
     * @param classes where the classes go
     * @throws CommandFailure when there is no compiler, or it refuses the program
     */
    void compile(Path classes) throws IOException, InterruptedException {
        Path compiler = Path.of(System.getProperty("java.home"), "bin", "javac");
        if (!Files.isExecutable(compiler)) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, compiler + " is missing; examples need a whole JDK");
        }
        Process process =
                new ProcessBuilder(
                                List.of(
                                        compiler.toString(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "-sourcepath",
                                        String.valueOf(file.getParent()),
                                        "-d",
                                        classes.toString(),
                                        file.toString()))
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    said.lines().findFirst().orElse(file + " cannot be compiled"));
        }
    }
}
