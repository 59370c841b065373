package org.madcast.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** The rank program of Open MPI, compiled by the machine's own {@code mpicc}. */
final class MpiProgram {

    private static final String SOURCE = "openmpi_rank.c";

    private final String searchPath;

    /** Looks for the programs of Open MPI in these directories, as in the variable PATH. */
    MpiProgram(String searchPath) {
        this.searchPath = searchPath;
    }

    /** Compiles it into the directory. */
    Path compile(Path directory) throws IOException, InterruptedException {
        Path source = directory.resolve(SOURCE);
        Path program = directory.resolve("openmpi_rank");
        try (InputStream text = MpiProgram.class.getResourceAsStream(SOURCE)) {
            if (text == null) {
                throw new CommandFailure(ExitCode.INTERNAL, SOURCE + " is not in the archive");
            }
            Files.copy(text, source);
        }
        Process compiler =
                new ProcessBuilder(
                                require("mpicc", "libopenmpi-dev").toString(),
                                "-O2",
                                "-o",
                                program.toString(),
                                source.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, "mpicc cannot compile the rank program: " + said.strip());
        }
        return program;
    }

    /** Where {@code mpirun} is, which must be Open MPI's. */
    Path launcher() throws IOException {
        Path mpirun = require("mpirun", "openmpi-bin");
        Process asked =
                new ProcessBuilder(mpirun.toString(), "--version")
                        .redirectErrorStream(true)
                        .start();
        String version = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!version.contains("Open MPI")) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    mpirun + " is not Open MPI's; install openmpi-bin and choose it");
        }
        return mpirun;
    }

    /**
     * Where a program is.
     *
     * @param debianPackage what to install when it is missing
     */
    private Path require(String name, String debianPackage) {
        Optional<Path> found =
                Stream.of(searchPath.split(File.pathSeparator, -1))
                        .filter(directory -> !directory.isEmpty())
                        .map(directory -> Path.of(directory, name))
                        .filter(Files::isExecutable)
                        .findFirst();
        return found.orElseThrow(() ->
                new CommandFailure(
                        ExitCode.NO_INPUT, name + " is missing: apt-get install " + debianPackage));
    }
}
