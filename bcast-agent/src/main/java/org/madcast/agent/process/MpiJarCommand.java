package org.madcast.agent.process;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast mpi-jar}: what compilers need. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "mpi-jar",
        header = "Print where mpi.jar is, for compilers.",
        description = {
            "",
            "The archive has the package mpi, with the Java APIs of Open MPI and of mpiJava 1.2, the"
                    + " client library, and all that they need. 'madcast run' adds it to the class path"
                    + " by itself; under another launcher, name it there, too."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  javac -cp \"$(madcast mpi-jar)\" Main.java",
            "  mpirun -np 4 java -cp \"$(madcast mpi-jar):.\" Main"
        })
public final class MpiJarCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Path jar =
                Installation.mpiJar()
                        .orElseThrow(() ->
                                new CommandFailure(
                                        ExitCode.NO_INPUT,
                                        "mpi.jar is missing; run 'madcast build' first"));
        spec.commandLine().getOut().println(jar);
        return ExitCode.OK.code();
    }
}
