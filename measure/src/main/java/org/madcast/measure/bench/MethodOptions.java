package org.madcast.measure.bench;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.measure.options.SkewOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How calls are timed, and from where. */
final class MethodOptions {

    private static final int PIPELINED_CALLS = 100;

    /** What ranks do where they would compute. */
    enum Computing {
        BUSY,
        IDLE
    }

    @Option(
            names = "--mode",
            paramLabel = "isolated|pipelined|overlap",
            description =
                    "What a time is (default isolated, or pipelined with --calls; pipelined alone"
                            + " means --calls "
                            + PIPELINED_CALLS
                            + ").")
    private @Nullable Mode mode;

    @Option(
            names = "--computing",
            paramLabel = "busy|idle",
            description =
                    "What ranks do with --mode overlap while a call is under way: compute, or sleep as"
                            + " if another processor did (default busy, but idle where ranks share"
                            + " this machine's processors).")
    private @Nullable Computing computing;

    @Option(
            names = "--clock",
            paramLabel = "shared|synchronised|own",
            description =
                    "How times of several hosts are compared: by the clock that they share, by clocks"
                            + " that are synchronised, or not at all: then the root times an answer"
                            + " of each receiver (default shared in a lab, else synchronised).")
    private @Nullable ClockKind clock;

    @Mixin private SkewOption skew = new SkewOption();

    @Option(
            names = "--roots",
            split = ",",
            paramLabel = "N",
            defaultValue = "0",
            description = "The ranks that broadcast, each for itself (default ${DEFAULT-VALUE}).")
    private List<Integer> roots = List.of();

    @Option(names = "--per-rank", description = "Also show the times of each rank.")
    private boolean perRank;

    boolean isOverlap() {
        return mode == Mode.OVERLAP;
    }

    /**
     * The roots, each once.
     *
     * @throws IllegalArgumentException when one is no rank
     */
    List<Integer> roots(List<Integer> ranks) {
        int fewest = ranks.stream().mapToInt(Integer::intValue).min().orElse(0);
        for (int root : roots) {
            if (root < 0 || root >= fewest) {
                throw new IllegalArgumentException(
                        "--roots must be 0 to %d, not %d".formatted(fewest - 1, root));
            }
        }
        return roots.stream().distinct().toList();
    }

    /**
     * The measurement, timed in this way.
     *
     * @param real whether the hosts are no lab's
     */
    BenchOptions apply(CommandSpec spec, BenchOptions options, boolean real) {
        int calls = options.amount().calls();
        Mode used = mode != null ? mode : calls > 1 ? Mode.PIPELINED : Mode.ISOLATED;
        if (used != Mode.PIPELINED && calls > 1) {
            throw Arguments.wrong(spec, "--calls is for --mode pipelined");
        }
        if (clock == ClockKind.OWN && used == Mode.PIPELINED) {
            throw Arguments.wrong(spec, "--clock own times single calls: leave out --calls");
        }
        if (clock == ClockKind.SHARED && real) {
            throw Arguments.wrong(spec, "--clock shared is for a lab; real hosts share none");
        }
        int most = options.ranks().stream().mapToInt(Integer::intValue).max().orElse(0);
        boolean crowded = !real && most > Runtime.getRuntime().availableProcessors();
        boolean idle = computing == null ? crowded : computing == Computing.IDLE;
        long skewNs = Arguments.read(spec, skew::ns);
        Method method = new Method(used, Optional.ofNullable(clock), skewNs, idle, perRank);
        return options.by(method, used == Mode.PIPELINED && calls == 1 ? PIPELINED_CALLS : calls);
    }
}
