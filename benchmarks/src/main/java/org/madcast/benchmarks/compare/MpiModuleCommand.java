package org.madcast.benchmarks.compare;

import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.measure.bench.CompilersOption;
import org.madcast.measure.bench.JvmFleet;
import org.madcast.measure.bench.MeasuredCall;
import org.madcast.measure.bench.MeasurementOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code compare madcast-mpi}. */
@Command(
        name = "madcast-mpi",
        mixinStandardHelpOptions = true,
        header = "Measure Madcast's module mpi, as a Java MPI program calls it.",
        description = {
            "",
            "The same calls as 'madcast bench --collective' and 'compare openmpi --collective' make,"
                    + " in the form of Open MPI's Java API with direct buffers. All calls share"
                    + " MPI.COMM_WORLD."
        })
final class MpiModuleCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MeasurementOptions measurement = new MeasurementOptions();

    @Option(
            names = "--collective",
            split = ",",
            paramLabel = "NAME",
            required = true,
            description =
                    "What to measure, separated by commas: ${COMPLETION-CANDIDATES}. A size is that of"
                            + " a rank's part.")
    private List<MeasuredCall> collectives = List.of();

    @Mixin private CompilersOption compilers = new CompilersOption();

    @Override
    public Integer call() throws Exception {
        JvmFleet.Program program =
                new JvmFleet.Program(
                        JvmComparison.jvmOptions(compilers.value()),
                        MpiModuleRank.class,
                        List.of());
        List<String> labels = collectives.stream().map(MeasuredCall::label).distinct().toList();
        return new JvmComparison("madcast-mpi", spec, measurement, program)
                .with(compilers.value())
                .runTogether(labels);
    }
}
