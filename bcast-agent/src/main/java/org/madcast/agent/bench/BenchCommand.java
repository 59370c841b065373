package org.madcast.agent.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Units;
import org.madcast.client.Algorithm;
import org.madcast.lab.LinkRate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast bench}. */
@Command(
        name = "bench",
        header = "Measure broadcasts in the lab.",
        description = {
            "",
            "One JVM per host. Every broadcast is isolated: its start is an agreed instant of the clock"
                    + " that all hosts share, and its time ends when the last receiver has the message."
                    + " Bytes are compared outside of the timed part. 'floor' is the same bytes as bare"
                    + " multicast datagrams, without any reliability, in the same run."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast bench --hosts 8 --sizes 1MiB --floor",
            "  madcast bench --hosts 16 --loss 1 --algorithms once,ipmc --json result.json"
        })
public final class BenchCommand implements Callable<Integer> {

    private static final int MOST_HOSTS = 64;
    private static final long LARGEST_BYTES = 1L << 30;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many hosts, 2 to " + MOST_HOSTS + " (default ${DEFAULT-VALUE}).")
    private int hosts;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description = "What a link carries, such as 1gbit, or none (default ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "What every host loses of what arrives (default ${DEFAULT-VALUE}).")
    private double loss;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "16,4KiB,64KiB,1MiB,4MiB",
            description = "Message sizes, with commas between (default ${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(
            names = "--algorithms",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "once,ipmc,chain,linear,binomial",
            description = "Algorithms, with commas between (default ${DEFAULT-VALUE}).")
    private List<String> algorithms = List.of();

    @Option(
            names = "--launches",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often all JVMs are started anew (default ${DEFAULT-VALUE}).")
    private int launches;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            defaultValue = "20",
            description = "Timed broadcasts of each kind in a launch (default ${DEFAULT-VALUE}).")
    private int repetitions;

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            defaultValue = "5",
            description = "Untimed broadcasts of each kind before (default ${DEFAULT-VALUE}).")
    private int warmUps;

    @Option(names = "--floor", description = "Measure the bare network too.")
    private boolean floor;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides the order of the broadcasts; by default another one each time.")
    private @Nullable Long seed;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result to this file too; - prints it instead of the table.")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        BenchOptions options = options();
        requireWritable(json);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<Row> rows;
        try (Steps steps = Steps.on(err)) {
            rows = new Bench(options, steps).run();
        }
        BenchReport report = new BenchReport(options, rows);
        if (json != null && json.toString().equals("-")) {
            out.println(report.json());
        } else {
            report.print(out);
            if (json != null) {
                Files.writeString(json, report.json() + "\n");
            }
        }
        out.flush();
        if (Bench.isCorrupt(rows)) {
            err.println("madcast: ranks received other bytes than were sent; please report this");
            return ExitCode.CHECKSUM.code();
        }
        return ExitCode.OK.code();
    }

    /** Better to know before the measurement than after. */
    private static void requireWritable(@Nullable Path file) throws IOException {
        if (file == null || file.toString().equals("-")) {
            return;
        }
        Path parent = file.toAbsolutePath().getParent();
        boolean writable =
                Files.exists(file)
                        ? Files.isRegularFile(file) && Files.isWritable(file)
                        : parent != null && Files.isDirectory(parent) && Files.isWritable(parent);
        if (!writable) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " cannot be written; name another file with --json");
        }
    }

    private BenchOptions options() {
        require(hosts >= 2 && hosts <= MOST_HOSTS, "--hosts must be 2 to " + MOST_HOSTS, hosts);
        require(loss >= 0 && loss < 100, "--loss must be 0 to less than 100", loss);
        require(launches >= 1 && launches <= 100, "--launches must be 1 to 100", launches);
        require(
                repetitions >= 1 && repetitions <= 100_000,
                "--repetitions must be 1 to 100000",
                repetitions);
        require(warmUps >= 0 && warmUps <= 1000, "--warm-ups must be 0 to 1000", warmUps);
        try {
            Optional<LinkRate> limit =
                    rate.equals("none") ? Optional.empty() : Optional.of(LinkRate.parse(rate));
            return new BenchOptions(
                    hosts,
                    limit,
                    loss,
                    sizes.stream().map(BenchCommand::size).distinct().toList(),
                    algorithms.stream().map(Algorithm::of).distinct().toList(),
                    launches,
                    repetitions,
                    warmUps,
                    floor,
                    seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static int size(String text) {
        long bytes = Units.sizeBytes(text);
        if (bytes > LARGEST_BYTES) {
            throw new IllegalArgumentException("'" + text + "' is more than 1GiB");
        }
        return (int) bytes;
    }

    private void require(boolean holds, String complaint, Object value) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), complaint + ", not " + value);
        }
    }
}
