package org.madcast.lab;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a lab shall be. Values that cannot be are refused on construction.
 *
 * @param name 1 to 10 characters, a lower-case letter followed by letters and digits; namespaces
 *     are called {@code NAME-h0} and so on, so that labs of different names never meet
 * @param hosts 1 to 64
 * @param rate what every cable and trunk carries each way; empty leaves them as fast as the
 *     processor
 * @param lossPercent share of the arriving UDP datagrams that every host drops, independent of each
 *     other; 0 to 100
 * @param switches 1 to 16, and without a tree of their own not more than hosts: bridges joined by
 *     trunks into a binary tree with switch 0 as its root; the hosts are spread over them in blocks
 * @param tree how the switches are joined, with rates of its own in place of {@code rate}; empty
 *     for that binary tree
 * @param mtuBytes 1280 to 65535
 * @param superframes whether datagrams sent with segmentation offload cross the cables unsplit:
 *     cheaper for the processor, but neither loss nor counters are then those of a real wire
 * @param detached whether the lab outlives the process that makes it: {@link Lab#reap} lets it be
 */
public record LabSpec(
        String name,
        int hosts,
        Optional<LinkRate> rate,
        double lossPercent,
        int switches,
        Optional<LabTree> tree,
        int mtuBytes,
        boolean superframes,
        boolean detached) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,9}");
    private static final AtomicInteger MADE = new AtomicInteger();

    /** Refuses what cannot be built, with the value in the message. */
    public LabSpec {
        require(
                NAME.matcher(name).matches(),
                "a lab's name is 1 to 10 lower-case letters and digits, a letter first",
                name);
        require(hosts >= 1 && hosts <= 64, "a lab has 1 to 64 hosts", hosts);
        requirePercent(lossPercent);
        require(switches >= 1 && switches <= 16, "a lab has 1 to 16 switches", switches);
        require(
                tree.isPresent() || switches <= hosts,
                "a lab has no more switches than hosts",
                switches);
        tree.ifPresent(given ->
                require(
                        given.switches() == switches && given.cables().size() == hosts,
                        "a lab of %d hosts and %d switches needs a tree of as many"
                                .formatted(hosts, switches),
                        given));
        require(mtuBytes >= 1280 && mtuBytes <= 65535, "an MTU is 1280 to 65535 bytes", mtuBytes);
    }

    /** Starts from one unshaped, lossless switch with 2 hosts, owned by this process. */
    public static Builder builder() {
        return new Builder();
    }

    /** A lab of {@code hosts} hosts and otherwise the builder's defaults. */
    public static LabSpec ofHosts(int hosts) {
        return builder().hosts(hosts).build();
    }

    static void requirePercent(double percent) {
        require(percent >= 0 && percent <= 100, "loss is 0 to 100 percent", percent);
    }

    private static void require(boolean holds, String complaint, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(complaint + ", not " + value);
        }
    }

    private static String derivedName() {
        String pid = Long.toString(ProcessHandle.current().pid(), 36);
        String number = Integer.toString(MADE.incrementAndGet(), 36);
        return "l" + pid.toLowerCase(Locale.ROOT) + "x" + number;
    }

    /** Collects the values of a {@link LabSpec}; one thread, reusable. */
    public static final class Builder {
        private @Nullable String name;
        private int hosts = 2;
        private Optional<LinkRate> rate = Optional.empty();
        private double lossPercent;
        private int switches = 1;
        private Optional<LabTree> tree = Optional.empty();
        private int mtuBytes = 1500;
        private boolean superframes;
        private boolean detached;

        private Builder() {}

        /** Without a name, one is derived from the process id. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** See {@link LabSpec#hosts}. */
        public Builder hosts(int value) {
            hosts = value;
            return this;
        }

        /** See {@link LabSpec#rate}. */
        public Builder rate(LinkRate value) {
            rate = Optional.of(value);
            return this;
        }

        /** A rate as {@link LinkRate#parseLimit} reads it. */
        public Builder rate(String value) {
            rate = LinkRate.parseLimit(value);
            return this;
        }

        /** See {@link LabSpec#lossPercent}. */
        public Builder lossPercent(double value) {
            lossPercent = value;
            return this;
        }

        /** See {@link LabSpec#switches}. */
        public Builder switches(int value) {
            switches = value;
            return this;
        }

        /** See {@link LabSpec#tree}; sets hosts and switches too. */
        public Builder tree(LabTree value) {
            tree = Optional.of(value);
            hosts = value.cables().size();
            switches = value.switches();
            return this;
        }

        /** See {@link LabSpec#mtuBytes}. */
        public Builder mtuBytes(int value) {
            mtuBytes = value;
            return this;
        }

        /** See {@link LabSpec#superframes}. */
        public Builder superframes(boolean value) {
            superframes = value;
            return this;
        }

        /** See {@link LabSpec#detached}. */
        public Builder detached(boolean value) {
            detached = value;
            return this;
        }

        /** The spec; throws {@link IllegalArgumentException} when a value cannot be. */
        public LabSpec build() {
            return new LabSpec(
                    name == null ? derivedName() : name,
                    hosts,
                    rate,
                    lossPercent,
                    switches,
                    tree,
                    mtuBytes,
                    superframes,
                    detached);
        }
    }
}
