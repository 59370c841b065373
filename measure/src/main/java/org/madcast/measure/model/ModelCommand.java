package org.madcast.measure.model;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.ResultFile;
import org.madcast.agent.terminal.Units;
import org.madcast.client.Algorithm;
import org.madcast.simulator.ProcessorCosts;
import org.madcast.simulator.model.BroadcastModel;
import org.madcast.simulator.model.CollectiveModel;
import org.madcast.simulator.model.ModelledAlgorithm;
import org.madcast.simulator.model.NetworkModel;
import org.madcast.simulator.model.Operation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast model}. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "model",
        header = "Predict which algorithm is the quickest on a network.",
        description = {
            "",
            "Formulas in the parameters of the network say how long broadcasts and other collective"
                    + " operations take. The network is one switch, given by the options or as"
                    + " 'madcast loggp' measured it. A table of algorithms can be made of it that the"
                    + " parameter 'selection' of all ranks names."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast model --rate 1gbit --ranks 4,16,64",
            "  madcast model --no-multicast --map map.svg",
            "  madcast model --collective allreduce --all --ranks 16 --sizes 64,1MiB",
            "  madcast loggp --json h2 > network.json",
            "  madcast model --from network.json --write-selection selection.table",
        })
public final class ModelCommand implements Callable<Integer> {

    private static final String BCAST = "bcast";
    private static final int MOST_RANKS = 65_535;
    private static final long MOST_BYTES = 1L << 40;

    /** Datagrams that arrive by multicast and again by unicast are never the quicker way. */
    private static final List<Algorithm> BROADCASTS =
            Stream.of(Algorithm.values()).filter(it -> it != Algorithm.IPMC).toList();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ModelNetworkOptions network = new ModelNetworkOptions();

    @Option(
            names = "--ranks",
            split = ",",
            paramLabel = "N",
            defaultValue = "2,4,8,16,64,256,1024",
            description = "Numbers of ranks, separated by commas (default ${DEFAULT-VALUE}).")
    private List<Integer> ranks = List.of();

    @Option(
            names = {"--sizes", "--size"},
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "16,256,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB,4MiB,16MiB",
            description =
                    "Sizes of messages, or of each rank's part, separated by commas (default"
                            + " ${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(
            names = "--collective",
            paramLabel = "NAME",
            defaultValue = BCAST,
            description =
                    "The operation: bcast, barrier, gather, scatter, allgather, alltoall, reduce,"
                            + " allreduce, reduce_scatter or scan (default ${DEFAULT-VALUE}).")
    private String collective = "";

    @Option(
            names = "--algorithms",
            split = ",",
            paramLabel = "NAME",
            description = "Only these algorithms of a broadcast (default all but ipmc).")
    private @Nullable List<String> algorithms;

    @Option(names = "--no-multicast", description = "Only what works without multicast.")
    private boolean noMulticast;

    @Option(names = "--all", description = "Print the time of every algorithm.")
    private boolean all;

    @Option(
            names = "--map",
            paramLabel = "FILE",
            description = "Also draw the table of the quickest algorithms into this file (SVG).")
    private @Nullable Path map;

    @Option(
            names = "--write-selection",
            paramLabel = "FILE",
            description = {
                "Also write a table of which broadcast algorithm serves when, with and without multicast,"
                        + " for MADCAST_SELECTION_FILE."
            })
    private @Nullable Path selection;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write all times to this file; - prints them instead of the table.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        boolean printed = json != null && json.toString().equals("-");
        ResultFile.requireWritable(map, "--map");
        ResultFile.requireWritable(selection, "--write-selection");
        if (!printed) {
            ResultFile.requireWritable(json, "--json");
        }
        ModelGrid grid;
        NetworkModel model;
        try {
            model = network.network();
            grid = grid(model);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        if (map != null) {
            Files.writeString(map, new SelectionPicture(grid, network.describe()).svg());
        }
        if (selection != null) {
            Files.writeString(selection, selection(model, grid));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (printed) {
            out.println(json(grid));
        } else {
            print(out, grid);
            if (json != null) {
                Files.writeString(json, json(grid) + "\n");
            }
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private ModelGrid grid(NetworkModel model) {
        List<Integer> sizesOfJob = ranks.stream().sorted().distinct().toList();
        List<Long> bytes = sizes.stream().map(Units::sizeBytes).sorted().distinct().toList();
        if (sizesOfJob.getFirst() < 2 || sizesOfJob.getLast() > MOST_RANKS) {
            throw new IllegalArgumentException("--ranks must be 2 to " + MOST_RANKS);
        }
        if (bytes.getLast() > MOST_BYTES) {
            throw new IllegalArgumentException("--sizes must be at most 1024GiB");
        }
        if (!collective.equals(BCAST)) {
            network.refuseBursts();
        }
        ModelGrid.Source source =
                collective.equals(BCAST)
                        ? new Broadcasts(new BroadcastModel(model), broadcasts())
                        : new Collectives(
                                new CollectiveModel(model, ProcessorCosts.COMBINE_NS_PER_BYTE),
                                operation());
        List<Long> used = collective.equals("barrier") ? List.of(0L) : bytes;
        return new ModelGrid(collective, sizesOfJob, used, source);
    }

    private List<Algorithm> broadcasts() {
        List<Algorithm> named =
                algorithms == null
                        ? BROADCASTS
                        : algorithms.stream().map(Algorithm::of).distinct().toList();
        List<Algorithm> possible =
                named.stream().filter(it -> !noMulticast || !it.usesMulticast()).toList();
        if (possible.isEmpty()) {
            throw new IllegalArgumentException("no algorithm is left: all need multicast");
        }
        return possible;
    }

    private Operation operation() {
        if (algorithms != null) {
            throw new IllegalArgumentException("--algorithms names those of bcast");
        }
        return Stream.of(Operation.values())
                .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(collective))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "--collective knows bcast, "
                                        + Stream.of(Operation.values())
                                                .map(it -> it.name().toLowerCase(Locale.ROOT))
                                                .collect(Collectors.joining(", "))
                                        + ", not '"
                                        + collective
                                        + "'"));
    }

    private String selection(NetworkModel model, ModelGrid grid) {
        BroadcastModel broadcasts = new BroadcastModel(model);
        List<Algorithm> without = BROADCASTS.stream().filter(it -> !it.usesMulticast()).toList();
        return new SelectionText(
                        new Broadcasts(broadcasts, BROADCASTS),
                        new Broadcasts(broadcasts, without),
                        grid.ranks(),
                        grid.sizesBytes())
                .text(network.describe());
    }

    private void print(PrintWriter out, ModelGrid grid) {
        if (all) {
            grid.all().print(out);
        } else {
            grid.quickest().print(out);
            out.println();
            for (String algorithm : grid.source().algorithms()) {
                out.println(grid.letter(algorithm) + "  " + algorithm);
            }
        }
        out.println();
        out.println(collective + ", predicted ms until the last rank is done");
        out.println(network.describe());
        if (selection != null) {
            out.println("all ranks: MADCAST_SELECTION_FILE=" + selection.toAbsolutePath());
        }
    }

    private String json(ModelGrid grid) {
        JsonArray rows = new JsonArray();
        for (int size : grid.ranks()) {
            for (long bytes : grid.sizesBytes()) {
                for (ModelGrid.Prediction prediction : grid.at(size, bytes)) {
                    JsonObject row = new JsonObject();
                    row.put("ranks", size);
                    row.put("sizeBytes", bytes);
                    row.put("algorithm", prediction.algorithm());
                    row.put("lastUs", prediction.ns() / 1e3);
                    rows.add(row);
                }
            }
        }
        JsonObject result = new JsonObject();
        result.put("predicted", true);
        result.put("collective", collective);
        result.put("network", network.describe());
        result.put("rows", rows);
        return JsonWriter.indent("  ").string().object(result).done();
    }

    private record Broadcasts(BroadcastModel model, List<Algorithm> known)
            implements ModelGrid.Source {

        @Override
        public List<String> algorithms() {
            return known.stream().map(Algorithm::label).toList();
        }

        @Override
        public List<ModelGrid.Prediction> predict(int ranks, long bytes) {
            return model.predict(known, ranks, bytes).stream()
                    .map(it -> new ModelGrid.Prediction(it.algorithm().label(), it.lastNs()))
                    .toList();
        }
    }

    private record Collectives(CollectiveModel model, Operation operation)
            implements ModelGrid.Source {

        @Override
        public List<String> algorithms() {
            return ModelledAlgorithm.of(operation).stream().map(ModelledAlgorithm::label).toList();
        }

        @Override
        public List<ModelGrid.Prediction> predict(int ranks, long bytes) {
            return model.predict(operation, ranks, bytes).stream()
                    .map(it -> new ModelGrid.Prediction(it.algorithm().label(), it.ns()))
                    .toList();
        }
    }
}
