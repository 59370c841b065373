package org.madcast.measure.options;

import java.util.List;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Option;

/** How large messages are. */
public final class SizesOption {

    private static final long LARGEST_BYTES = 1L << 30;

    @Option(
            names = {"--sizes", "--size"},
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "16,4KiB,64KiB,1MiB,4MiB",
            description = "Message sizes, separated by commas (default ${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    /** Takes other sizes than the user's. */
    public void set(List<Integer> bytes) {
        sizes = bytes.stream().map(String::valueOf).toList();
    }

    /**
     * In bytes, each once.
     *
     * @throws IllegalArgumentException when one is no size, or more than 1 GiB
     */
    public List<Integer> bytes() {
        return sizes.stream().map(SizesOption::bytes).distinct().toList();
    }

    private static int bytes(String text) {
        long bytes = Units.sizeBytes(text);
        if (bytes > LARGEST_BYTES) {
            throw new IllegalArgumentException("'" + text + "' is more than 1GiB");
        }
        return (int) bytes;
    }
}
