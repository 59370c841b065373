package org.madcast.agent.topology;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.topology.FatTree.Routing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast topology bisection}. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "bisection",
        header = "Tell how much of a link messages between random halves get.",
        description = {
            "",
            "The effective bisection bandwidth: the hosts are split at random, each of one half sends to"
                    + " a partner in the other, and messages share the links on their ways evenly. 100 %%"
                    + " means that none is disturbed. Of a file, or of a network that is generated."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast topology bisection net.topology",
            "  madcast topology bisection --kary 8,3 --routing random",
            "  madcast topology bisection --leaf-spine 16,32,4 --routing ecmp",
            "  madcast topology bisection --xgft 12,12,8/1,12,12 --hosts 1142"
        })
final class TopologyBisectionCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "A topology, or Slurm's topology.conf.")
    private @Nullable Path file;

    @Option(
            names = "--kary",
            paramLabel = "K,N",
            description = "The k-ary n-tree: n levels of switches, k cables down and k up.")
    private @Nullable String kary;

    @Option(
            names = "--leaf-spine",
            paramLabel = "L,H,S",
            description = "L leaf switches with H hosts each, and a cable to each of S spines.")
    private @Nullable String leafSpine;

    @Option(
            names = "--xgft",
            paramLabel = "M/W",
            description = {
                "A fat tree: for each level from the hosts up the children of a switch, a slash, and"
                        + " the parents of what is below, such as 12,8/1,6."
            })
    private @Nullable String xgft;

    @Option(
            names = "--routing",
            paramLabel = "NAME",
            defaultValue = "dmodk",
            description = {
                "How generated switches choose among ways up: dmodk by the destination's number, random"
                        + " by a random table, ecmp anew for each message, tree always the first"
                        + " (default ${DEFAULT-VALUE})."
            })
    private Routing routing = Routing.DMODK;

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "0",
            description = "Only the first places of a generated network have hosts (default all).")
    private int hosts;

    @Option(
            names = "--splits",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many random splits (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 1_000_000)
    private int splits;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Decides what is random (default ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() {
        Bisection bisection = Arguments.read(spec, () -> Bisection.of(fabric(), splits, seed));
        PrintWriter out = spec.commandLine().getOut();
        Fabric fabric = bisection.fabric();
        out.println(fabric.description());
        out.printf(
                Locale.ROOT,
                "effective bisection bandwidth %s of %d hosts, %d splits, seed %d%n%n",
                percent(bisection.effective()),
                fabric.hosts(),
                splits,
                seed);
        new Table("worst split", "best split", "worst pair", "5 %", "50 %", "95 %")
                .row(
                        percent(bisection.worst()),
                        percent(bisection.best()),
                        percent(bisection.quantile(0)),
                        percent(bisection.quantile(0.05)),
                        percent(bisection.quantile(0.5)),
                        percent(bisection.quantile(0.95)))
                .print(out);
        out.flush();
        return ExitCode.OK.code();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    private Fabric fabric() {
        List<?> given =
                Stream.of(file, kary, leafSpine, xgft).filter(each -> each != null).toList();
        if (given.size() != 1) {
            throw new IllegalArgumentException(
                    "one of FILE, --kary, --leaf-spine and --xgft is needed");
        }
        if (kary != null) {
            int[] numbers = numbers("--kary", kary, 2);
            if (numbers[1] < 1 || numbers[1] > 20) {
                throw new IllegalArgumentException("--kary has 1 to 20 levels, not " + numbers[1]);
            }
            return FatTree.kary(numbers[0], numbers[1], routing, seed, hosts);
        }
        if (leafSpine != null) {
            int[] numbers = numbers("--leaf-spine", leafSpine, 3);
            return FatTree.leafSpine(numbers[0], numbers[1], numbers[2], routing, seed, hosts);
        }
        if (xgft != null) {
            String[] halves = xgft.split("/", -1);
            if (halves.length != 2) {
                throw new IllegalArgumentException(
                        "--xgft must look like 12,8/1,6, not '" + xgft + "'");
            }
            return new FatTree(
                    numbers("--xgft", halves[0], 0),
                    numbers("--xgft", halves[1], 0),
                    routing,
                    seed,
                    hosts);
        }
        return new TreeFabric(PlacedTopology.read(Objects.requireNonNull(file)).tree());
    }

    private int[] numbers(String option, String text, int many) {
        String[] words = text.split(",", -1);
        boolean right = Arrays.stream(words).allMatch(word -> word.matches("[1-9]\\d{0,5}"));
        if (!right || (many > 0 && words.length != many)) {
            throw new IllegalArgumentException(
                    "%s needs %snumbers from 1 to 999999 with commas between, not '%s'"
                            .formatted(option, many > 0 ? many + " " : "", text));
        }
        return Arrays.stream(words).mapToInt(Integer::parseInt).toArray();
    }
}
