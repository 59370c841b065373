package org.madcast.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.client.SettingSources.Effective;

/**
 * How to broadcast: Siebert's seven parameters under their names (seed 000, section 3.5), and ours.
 * Immutable, safe for every thread.
 *
 * <p>A value comes from the code ({@link #builder()}), else from the system property {@code
 * madcast.<name>}, else from the environment variable {@code MADCAST_<NAME>} (the name in capitals,
 * dots as underscores), else it is the default. Sizes are written {@code 4096}, {@code 64KiB} or
 * {@code 1MiB}, durations {@code 500us}, {@code 5ms} or {@code 5s}, rates {@code 100Mbit/s} or
 * {@code 100mbit}. A value that is out of range is an {@link IllegalArgumentException} with the
 * setting, the value and the range. {@link #describe()} lists what is in force and where it came
 * from.
 *
 * <p>Every rank of a communicator needs the same values; only {@code print.statistics} and {@code
 * socket.path} may differ.
 */
public final class BroadcastParameters {

    private static final String AUTOMATIC = "auto";
    private static final String SELECTION_FILE = "selection.file";

    private final Map<String, Effective> effective;
    private final @Nullable Path selectionFile;
    private final String selectionOrigin;

    private BroadcastParameters(
            Map<String, Effective> effective, @Nullable Path selectionFile, String origin) {
        this.effective = effective;
        this.selectionFile = selectionFile;
        this.selectionOrigin = origin;
    }

    /** The defaults, whatever the environment says. */
    public static BroadcastParameters defaults() {
        return builder(Map.of(), Map.of()).build();
    }

    /** What the system properties and the environment of this process say, else the defaults. */
    public static BroadcastParameters fromEnvironment() {
        return builder().build();
    }

    /** Starts from the system properties and the environment of this process. */
    public static Builder builder() {
        return new Builder(SettingSources.ofProcess());
    }

    /** Starts from these system properties and this environment. */
    public static Builder builder(Map<String, String> properties, Map<String, String> environment) {
        return new Builder(new SettingSources(properties, environment));
    }

    /** The environment variables that are read, for those who pass them on to other hosts. */
    public static Set<String> variables() {
        return SettingSources.variables();
    }

    /**
     * Siebert's priority among broadcast components: 0 prefers the unicast algorithms, anything
     * else multicast. Default 40.
     */
    public int priority() {
        return (int) value(BroadcastParametersSetting.PRIORITY);
    }

    /** Whether multicast is to be used when it works: {@link #priority()} is not 0. */
    public boolean prefersMulticast() {
        return priority() > 0;
    }

    /**
     * The least number of ranks for which {@code ipmc} multicasts when it is the parameter {@code
     * algorithm}; fewer use linear. Other algorithms do not depend on it. Default 4.
     */
    public int crossoverNodes() {
        return (int) value(BroadcastParametersSetting.CROSSOVER_NODES);
    }

    /**
     * Messages above this many bytes travel by the chain when {@code ipmc} is the parameter {@code
     * algorithm}; this is decided before {@link #crossoverNodes()}. Default 1 MiB.
     */
    public long crossoverSizeBytes() {
        return value(BroadcastParametersSetting.CROSSOVER_SIZE);
    }

    /**
     * The largest payload of a fragment, in bytes; a datagram is at most this and the header. It is
     * less when the network carries smaller datagrams without cutting them, unless {@link
     * #datagramBytes()} is set. Default 4096, which is Siebert's: with jumbo frames set 8936.
     */
    public int fragmentSizeBytes() {
        return (int) value(BroadcastParametersSetting.FRAGMENT_SIZE);
    }

    /** How long the root waits before its first datagram. Default 0. */
    public Duration rootWaitTime() {
        return Duration.ofNanos(value(BroadcastParametersSetting.ROOT_WAIT_TIME));
    }

    /**
     * Whether {@link #rootWaitTime()} was set, also to 0: then the service's advice does not apply.
     */
    public boolean pinsRootWaitTime() {
        return !origin(BroadcastParametersSetting.ROOT_WAIT_TIME)
                .equals(SettingSources.FROM_DEFAULT);
    }

    /** Whether the size of fragments was set, and is not the default. */
    public boolean pinsFragmentSize() {
        return !origin(BroadcastParametersSetting.FRAGMENT_SIZE)
                .equals(SettingSources.FROM_DEFAULT);
    }

    /**
     * The longest time for which arriving datagrams gather while the rest of a message is known to
     * be long. A longer time saves processor time, and a loss is noticed later. On a link so slow
     * that fewer than four would arrive, up to four may gather; 0: none. Default 500 µs.
     */
    public Duration gatherTime() {
        return Duration.ofNanos(value(BroadcastParametersSetting.GATHER_TIME));
    }

    /**
     * How long a waiting call polls, since it began or something arrived, before it sleeps. A short
     * message arrives sooner then, since no rank must be woken up. A call polls only while its
     * thread gets a processor whenever it wants one, since other ranks need the processors
     * otherwise. 0: it sleeps at once. Default 100 µs.
     */
    public Duration pollTime() {
        return Duration.ofNanos(value(BroadcastParametersSetting.POLL_TIME));
    }

    /** Whether datagrams carry a checksum of their own. Default on. */
    public boolean useCrcChecking() {
        return value(BroadcastParametersSetting.USE_CRC_CHECKING) != 0;
    }

    /** Whether a communicator prints its statistics when it is closed. Default off. */
    public boolean printStatistics() {
        return value(BroadcastParametersSetting.PRINT_STATISTICS) != 0;
    }

    /** The algorithm for calls that name none; empty: chosen for each message. Default empty. */
    public Optional<Algorithm> algorithm() {
        String label = choice(BroadcastParametersSetting.ALGORITHM);
        return label.equals(AUTOMATIC) ? Optional.empty() : Optional.of(Algorithm.of(label));
    }

    /**
     * The user's table of which algorithm serves a call that names none, when {@link #algorithm()}
     * is empty; empty: the table that comes with the library.
     */
    public Optional<Path> selectionFile() {
        return Optional.ofNullable(selectionFile);
    }

    /** After how long a silent rank counts as dead. Default 5 s. */
    public Duration deathTimeout() {
        return Duration.ofNanos(value(BroadcastParametersSetting.DEATH_TIMEOUT));
    }

    /** The most bits that a root sends in a second; 0: unlimited. Default 0. */
    public long rateBitsPerSecond() {
        return value(BroadcastParametersSetting.RATE);
    }

    /**
     * Whether a root slows down to the rate of the slowest receiver. Otherwise that receiver loses
     * most of the stream and asks for it again, until the window is full and all wait. Default on.
     */
    public boolean followsSlowest() {
        return value(BroadcastParametersSetting.FOLLOW_SLOWEST) != 0;
    }

    /**
     * How much time a root that had no processor may make up for while it leaves room for repairs.
     * Long streams with losses are faster with it, but repairs by the root wait longer. Default 0.
     */
    public Duration catchUp() {
        return Duration.ofNanos(value(BroadcastParametersSetting.CATCH_UP));
    }

    /**
     * The most bytes that are sent but not known to have arrived, at least two datagrams; 0:
     * automatic. Broadcasts of one datagram each then use so many channels, in the words of Yu and
     * others (2003): the ranks synchronise when all are in use. Default 0.
     */
    public long windowBytes() {
        return value(BroadcastParametersSetting.WINDOW);
    }

    /**
     * How many bytes the kernel is asked to keep for each of the two sockets while this process
     * does not run. Default 4 MiB.
     */
    public int receiveBufferBytes() {
        return (int) value(BroadcastParametersSetting.RECEIVE_BUFFER);
    }

    /**
     * How many bytes the kernel is asked to keep of what this process sent. Repairs wait behind
     * them; while the sender has no processor, the kernel sends on from them. Default 64 KiB.
     */
    public int sendBufferBytes() {
        return (int) value(BroadcastParametersSetting.SEND_BUFFER);
    }

    /** The largest datagram in bytes of UDP payload; 0: from the interface's MTU. Default 0. */
    public int datagramBytes() {
        return (int) value(BroadcastParametersSetting.DATAGRAM_SIZE);
    }

    /** Which sockets serve. Default {@link SocketPath#AUTO}. */
    public SocketPath socketPath() {
        return SocketPath.valueOf(
                choice(BroadcastParametersSetting.SOCKET_PATH).toUpperCase(Locale.ROOT));
    }

    /** How many routers a multicast datagram may pass, plus one; 0: this host only. Default 1. */
    public int ttl() {
        return (int) value(BroadcastParametersSetting.TTL);
    }

    /** Every setting in a line of its own: name, value in force, where it came from. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        for (BroadcastParametersSetting setting : BroadcastParametersSetting.ALL) {
            text.append(
                    String.format(
                            "%-18s %-12s %s%n",
                            setting.label(), setting.print(value(setting)), origin(setting)));
        }
        String table = selectionFile == null ? "built in" : selectionFile.toString();
        text.append(String.format("%-18s %-12s %s%n", SELECTION_FILE, table, selectionOrigin));
        return text.toString();
    }

    private long value(BroadcastParametersSetting setting) {
        return effective(setting).value();
    }

    private String choice(BroadcastParametersSetting setting) {
        return setting.print(value(setting));
    }

    /**
     * The shortest broadcast for which a communicator that was made out of another one takes a
     * multicast group, if its ranks are on at least three hosts. {@code always} (0): the first
     * broadcast does, whatever its length and the hosts. {@code never} (-1): broadcasts go by
     * messages. Long allgathers are broadcasts on three hosts or more, too; {@code always} and
     * {@code never} hold for them as well. Default 16 KiB.
     */
    public long partMulticastBytes() {
        return value(BroadcastParametersSetting.PART_MULTICAST);
    }

    /**
     * Whether messages between ranks of one host go through shared memory where both can map it.
     * Default on.
     */
    public boolean sharedMemory() {
        return value(BroadcastParametersSetting.SHARED_MEMORY) != 0;
    }

    private String origin(BroadcastParametersSetting setting) {
        return effective(setting).origin();
    }

    private Effective effective(BroadcastParametersSetting setting) {
        return Objects.requireNonNull(effective.get(setting.label()));
    }

    /** The settings that are not at their default, on one line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("BroadcastParameters[");
        String separator = "";
        for (BroadcastParametersSetting setting : BroadcastParametersSetting.ALL) {
            String origin = origin(setting);
            if (!origin.equals(SettingSources.FROM_DEFAULT)) {
                text.append(separator).append(setting.label()).append('=');
                text.append(setting.print(value(setting))).append(" (").append(origin).append(')');
                separator = ", ";
            }
        }
        if (selectionFile != null) {
            text.append(separator).append(SELECTION_FILE).append('=').append(selectionFile);
            text.append(" (").append(selectionOrigin).append(')');
        }
        return text.append(']').toString();
    }

    /** Equal when all values are, wherever they came from. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BroadcastParameters that
                && values().equals(that.values())
                && Objects.equals(selectionFile, that.selectionFile);
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<Long> values() {
        return effective.values().stream().map(Effective::value).toList();
    }

    /** Which socket implementation to use. */
    public enum SocketPath {
        /** The native one where it works, else the portable one. */
        AUTO,
        /** The portable one. */
        NIO,
        /** The native one; joining fails where it does not work. */
        NATIVE
    }

    /** Collects values; each method refuses a value out of range. For one thread. */
    public static final class Builder {

        private final SettingSources sources;
        private final Map<BroadcastParametersSetting, Long> fromCode = new LinkedHashMap<>();
        private @Nullable Path selectionFile;

        private Builder(SettingSources sources) {
            this.sources = sources;
        }

        /** See {@link BroadcastParameters#priority()}. */
        public Builder priority(int priority) {
            return set(BroadcastParametersSetting.PRIORITY, priority);
        }

        /** See {@link BroadcastParameters#crossoverNodes()}. */
        public Builder crossoverNodes(int ranks) {
            return set(BroadcastParametersSetting.CROSSOVER_NODES, ranks);
        }

        /** See {@link BroadcastParameters#crossoverSizeBytes()}. */
        public Builder crossoverSizeBytes(long bytes) {
            return set(BroadcastParametersSetting.CROSSOVER_SIZE, bytes);
        }

        /** See {@link BroadcastParameters#fragmentSizeBytes()}. */
        public Builder fragmentSizeBytes(int bytes) {
            return set(BroadcastParametersSetting.FRAGMENT_SIZE, bytes);
        }

        /** See {@link BroadcastParameters#rootWaitTime()}. */
        public Builder rootWaitTime(Duration duration) {
            return set(BroadcastParametersSetting.ROOT_WAIT_TIME, saturatedNanos(duration));
        }

        /** See {@link BroadcastParameters#gatherTime()}. */
        public Builder gatherTime(Duration duration) {
            return set(BroadcastParametersSetting.GATHER_TIME, saturatedNanos(duration));
        }

        /** See {@link BroadcastParameters#pollTime()}. */
        public Builder pollTime(Duration duration) {
            return set(BroadcastParametersSetting.POLL_TIME, saturatedNanos(duration));
        }

        /** See {@link BroadcastParameters#useCrcChecking()}. */
        public Builder useCrcChecking(boolean on) {
            return set(BroadcastParametersSetting.USE_CRC_CHECKING, on ? 1 : 0);
        }

        /** See {@link BroadcastParameters#printStatistics()}. */
        public Builder printStatistics(boolean on) {
            return set(BroadcastParametersSetting.PRINT_STATISTICS, on ? 1 : 0);
        }

        /** See {@link BroadcastParameters#algorithm()}; null: chosen for each message. */
        public Builder algorithm(@Nullable Algorithm algorithm) {
            return choose(
                    BroadcastParametersSetting.ALGORITHM,
                    algorithm == null ? AUTOMATIC : algorithm.label());
        }

        /** See {@link BroadcastParameters#selectionFile()}; read when a communicator is made. */
        public Builder selectionFile(Path file) {
            this.selectionFile = file;
            return this;
        }

        /** See {@link BroadcastParameters#deathTimeout()}. */
        public Builder deathTimeout(Duration duration) {
            return set(BroadcastParametersSetting.DEATH_TIMEOUT, saturatedNanos(duration));
        }

        /** See {@link BroadcastParameters#rateBitsPerSecond()}. */
        public Builder rateBitsPerSecond(long bitsPerSecond) {
            return set(BroadcastParametersSetting.RATE, bitsPerSecond);
        }

        /** See {@link BroadcastParameters#followsSlowest()}. */
        public Builder followSlowest(boolean on) {
            return set(BroadcastParametersSetting.FOLLOW_SLOWEST, on ? 1 : 0);
        }

        /** See {@link BroadcastParameters#catchUp()}. */
        public Builder catchUp(Duration duration) {
            return set(BroadcastParametersSetting.CATCH_UP, saturatedNanos(duration));
        }

        /** See {@link BroadcastParameters#windowBytes()}. */
        public Builder windowBytes(long bytes) {
            return set(BroadcastParametersSetting.WINDOW, bytes);
        }

        /** See {@link BroadcastParameters#receiveBufferBytes()}. */
        public Builder receiveBufferBytes(int bytes) {
            return set(BroadcastParametersSetting.RECEIVE_BUFFER, bytes);
        }

        /** See {@link BroadcastParameters#sendBufferBytes()}. */
        public Builder sendBufferBytes(int bytes) {
            return set(BroadcastParametersSetting.SEND_BUFFER, bytes);
        }

        /** See {@link BroadcastParameters#datagramBytes()}. */
        public Builder datagramBytes(int bytes) {
            return set(BroadcastParametersSetting.DATAGRAM_SIZE, bytes);
        }

        /** See {@link BroadcastParameters#socketPath()}. */
        public Builder socketPath(SocketPath path) {
            return choose(
                    BroadcastParametersSetting.SOCKET_PATH, path.name().toLowerCase(Locale.ROOT));
        }

        /** See {@link BroadcastParameters#ttl()}. */
        public Builder ttl(int ttl) {
            return set(BroadcastParametersSetting.TTL, ttl);
        }

        /** See {@link BroadcastParameters#partMulticastBytes()}. */
        public Builder partMulticastBytes(long bytes) {
            return set(BroadcastParametersSetting.PART_MULTICAST, bytes);
        }

        /** See {@link BroadcastParameters#sharedMemory()}. */
        public Builder sharedMemory(boolean on) {
            return set(BroadcastParametersSetting.SHARED_MEMORY, on ? 1 : 0);
        }

        /**
         * The parameters.
         *
         * @throws IllegalArgumentException when a property or variable that counts is invalid
         */
        public BroadcastParameters build() {
            Map<String, Effective> effective = new LinkedHashMap<>();
            for (BroadcastParametersSetting setting : BroadcastParametersSetting.ALL) {
                effective.put(setting.label(), sources.resolve(setting, fromCode.get(setting)));
            }
            if (selectionFile != null) {
                return new BroadcastParameters(effective, selectionFile, SettingSources.FROM_CODE);
            }
            Optional<SettingSources.Outside> table = sources.selectionFile();
            return new BroadcastParameters(
                    effective,
                    table.map(named -> Path.of(named.text())).orElse(null),
                    table.map(SettingSources.Outside::origin).orElse(SettingSources.FROM_DEFAULT));
        }

        private Builder choose(BroadcastParametersSetting setting, String label) {
            return set(setting, setting.parse(setting.label(), label));
        }

        private Builder set(BroadcastParametersSetting setting, long value) {
            fromCode.put(setting, setting.check(value));
            return this;
        }

        private static long saturatedNanos(Duration duration) {
            boolean representable = duration.abs().compareTo(Duration.ofDays(365)) < 0;
            return representable
                    ? duration.toNanos()
                    : duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
