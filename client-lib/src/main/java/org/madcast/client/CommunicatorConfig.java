package org.madcast.client;

import java.io.ObjectInputFilter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which communicator to join, as which rank, and where the ranks meet. Immutable, safe for every
 * thread; made by {@link #builder} or read {@link #fromEnvironment()}.
 */
public final class CommunicatorConfig {

    /** Asks the RFC 2730 servers of the network. */
    public static final String MADCAP_AUTO = "auto";

    /** Asks no RFC 2730 server. */
    public static final String MADCAP_OFF = "off";

    /** How many characters the name of a communicator may have. */
    public static final int LONGEST_NAME = 100;

    private static final int MAX_SIZE = 65_535;
    private static final Pattern MADCAP = Pattern.compile("[\\w.-]{1,253}(:[1-9]\\d{0,4})?");
    private static final Duration MAX_JOIN_TIMEOUT = Duration.ofDays(7);

    private final String jobId;
    private final String name;
    private final int rank;
    private final int size;
    private final @Nullable URI serviceUri;
    private final @Nullable String serviceToken;
    private final @Nullable String ownerSecret;
    private final @Nullable InetSocketAddress rootAddress;
    private final @Nullable String networkInterface;
    private final @Nullable MulticastGroup group;
    private final String madcap;
    private final @Nullable Path topology;
    private final @Nullable Path profile;
    private final @Nullable JobKey key;
    private final Duration joinTimeout;
    private final @Nullable ObjectInputFilter objectFilter;
    private final BroadcastParameters parameters;

    private CommunicatorConfig(Builder values) {
        jobId = values.jobId;
        name = values.name;
        rank = values.rank;
        size = values.size;
        serviceUri = values.serviceUri;
        serviceToken = values.serviceToken;
        ownerSecret = values.ownerSecret;
        rootAddress = values.rootAddress;
        networkInterface = values.networkInterface;
        group = values.group;
        madcap = values.madcap;
        topology = values.topology;
        profile = values.profile;
        key = values.key;
        joinTimeout = values.joinTimeout;
        objectFilter = values.objectFilter;
        BroadcastParameters given = values.parameters;
        parameters = given == null ? BroadcastParameters.fromEnvironment() : given;
        check();
    }

    private void check() {
        checkText("job id", jobId, 200);
        checkText("communicator name", name, LONGEST_NAME);
        checkMadcap(madcap);
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException("size " + size + " is outside 1 to " + MAX_SIZE);
        }
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is outside 0 to " + (size - 1) + " (size " + size + ")");
        }
        if (serviceUri != null) {
            checkServiceUri(serviceUri);
        }
        if (rootAddress != null && rootAddress.getPort() == 0) {
            throw new IllegalArgumentException(
                    "root address " + hostAndPort(rootAddress) + " needs a port, 1 to 65535");
        }
        if (!joinTimeout.isPositive() || joinTimeout.compareTo(MAX_JOIN_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "join timeout " + text(joinTimeout) + " is outside 1 ns to 7 days");
        }
    }

    private static void checkText(String what, String value, int maxLength) {
        if (value.isBlank() || value.length() > maxLength) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' must have 1 to " + maxLength + " characters");
        }
    }

    static void checkMadcap(String where) {
        if (!MADCAP.matcher(where).matches()) {
            throw new IllegalArgumentException(
                    "MADCAP server '" + where + "' must be auto, off, host, or host:port");
        }
    }

    private static void checkServiceUri(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "service URI '" + uri + "' must look like http://host:port or https://host");
        }
    }

    /**
     * What the launcher of this process says: Madcast's own variables, Open MPI's, PMI's, Slurm's
     * or a Kubernetes indexed Job's.
     *
     * @throws IllegalArgumentException naming the variables that were looked for when one is
     *     missing, or the variable, its value and the allowed values when one is invalid
     */
    public static CommunicatorConfig fromEnvironment() {
        return new CommunicatorConfigEnvironment(System.getenv())
                .config(BroadcastParameters.fromEnvironment());
    }

    /** As {@link #fromEnvironment()} with these variables instead of the process's own. */
    public static CommunicatorConfig fromEnvironment(Map<String, String> environment) {
        return new CommunicatorConfigEnvironment(environment)
                .config(BroadcastParameters.builder(Map.of(), environment).build());
    }

    /** Whether a launcher started the process with these variables. */
    public static boolean isLaunched(Map<String, String> environment) {
        return CommunicatorConfigLauncher.of(environment).isPresent();
    }

    /** Starts a configuration with what every one needs. */
    public static Builder builder(String jobId, int rank, int size) {
        return new Builder(jobId, rank, size);
    }

    /** The job, the same on all of its ranks and unlike any other job's; 1 to 200 characters. */
    public String jobId() {
        return jobId;
    }

    /** The communicator's name within the job, 1 to 100 characters. Default {@code world}. */
    public String name() {
        return name;
    }

    /** This process's number, 0 to {@code size() - 1}. */
    public int rank() {
        return rank;
    }

    /** How many processes take part, 1 to 65535. */
    public int size() {
        return size;
    }

    /** The allocation service, such as {@code http://127.0.0.1:8730}; null: none. Default none. */
    public @Nullable URI serviceUri() {
        return serviceUri;
    }

    /** The bearer token for the service, or null. Default null. */
    public @Nullable String serviceToken() {
        return serviceToken;
    }

    /**
     * What ranks that show the service different tokens share: it lets them meet, and no others (16
     * to 128 characters, hard to guess); null when all have one token. Default null.
     */
    public @Nullable String ownerSecret() {
        return ownerSecret;
    }

    /**
     * Where rank 0 waits for the others when no service answers; null: nowhere. A name that is not
     * resolved yet is resolved at each attempt to connect. Default null.
     */
    public @Nullable InetSocketAddress rootAddress() {
        return rootAddress;
    }

    /**
     * The interface by name or by one of its addresses; null: the one that leads to the service or
     * to rank 0. Default null.
     */
    public @Nullable String networkInterface() {
        return networkInterface;
    }

    /** A group of the user's own instead of a leased one; null: leased, or drawn. Default null. */
    public @Nullable MulticastGroup group() {
        return group;
    }

    /**
     * Where rank 0 asks for a group when no service leases one and the ranks meet at rank 0: {@link
     * #MADCAP_AUTO} for the RFC 2730 servers of the network, a server as {@code host} or {@code
     * host:port}, or {@link #MADCAP_OFF}. Default automatic.
     */
    public String madcap() {
        return madcap;
    }

    /**
     * A file that says how switches and hosts are connected, of the same content on every rank: the
     * algorithms {@code chain} and {@code binary} then follow the cables instead of the ranks'
     * numbers. It is read when the communicator is joined. Null: the one that the service keeps for
     * the ranks' hosts, if it does. Default null.
     */
    public @Nullable Path topology() {
        return topology;
    }

    /**
     * Where this rank writes what its calls cost, when the last communicator is closed or the
     * process ends: a file, in whose name {@code %r} stands for the rank, or without that a folder.
     * {@code docs/PROFILE.md} has its format. Null: where the variable {@code MADCAST_PROFILE}
     * says, else nowhere. Default null.
     */
    public @Nullable Path profile() {
        return profile;
    }

    /**
     * Seals all datagrams, the same on every rank; null: datagrams carry a checksum only. Default
     * null.
     */
    public @Nullable JobKey key() {
        return key;
    }

    /** How long to wait for the other ranks, 1 ns to 7 days. Default 30 s. */
    public Duration joinTimeout() {
        return joinTimeout;
    }

    /**
     * Decides first which classes may come in messages of objects; what it leaves undecided is
     * decided as {@link ObjectCodec} says. {@code MADCAST_OBJECT_FILTER} is a pattern of {@link
     * ObjectInputFilter.Config#createFilter}, such as {@code org.example.**;!*} for one package and
     * nothing else. Null: none. Default null.
     */
    public @Nullable ObjectInputFilter objectFilter() {
        return objectFilter;
    }

    /** How to broadcast. Default {@link BroadcastParameters#fromEnvironment()}. */
    public BroadcastParameters parameters() {
        return parameters;
    }

    /**
     * An address as it is configured, and as messages print it: {@code host:port}, an IPv6 address
     * in brackets and without its zone.
     */
    public static String hostAndPort(InetSocketAddress address) {
        String host =
                address.isUnresolved()
                        ? address.getHostString()
                        : address.getAddress().getHostAddress();
        int zone = host.indexOf('%');
        String bare = zone < 0 ? host : host.substring(0, zone);
        return (bare.indexOf(':') < 0 ? bare : "[" + bare + "]") + ":" + address.getPort();
    }

    /** The values, without the token for the service. */
    @Override
    public String toString() {
        return "CommunicatorConfig[job '%s', communicator '%s', rank %d of %d"
                        .formatted(jobId, name, rank, size)
                + ", service "
                + (serviceUri == null ? "none" : serviceUri)
                + (serviceToken == null ? "" : " (with a token)")
                + ", root "
                + (rootAddress == null ? "none" : hostAndPort(rootAddress))
                + ", interface "
                + (networkInterface == null ? "automatic" : networkInterface)
                + ", group "
                + (group == null ? "automatic" : group)
                + ", MADCAP "
                + madcap
                + (topology == null ? "" : ", topology " + topology)
                + (key == null ? "" : ", sealed with a key")
                + ", join timeout "
                + text(joinTimeout)
                + (objectFilter == null ? "" : ", object filter " + objectFilter)
                + ", "
                + parameters
                + ']';
    }

    /** In the largest unit that is exact, and not above seconds. */
    private static String text(Duration duration) {
        if (duration.toNanosPart() == 0 || duration.compareTo(MAX_JOIN_TIMEOUT) > 0) {
            return duration.toSeconds() + " s";
        }
        return duration.toNanosPart() % 1_000_000 == 0
                ? duration.toMillis() + " ms"
                : duration.toNanos() + " ns";
    }

    /**
     * Collects values; {@link #build()} refuses those out of range. Each method has its default at
     * the accessor of the same name. For one thread.
     */
    public static final class Builder {

        private final String jobId;
        private String name = "world";
        private final int rank;
        private final int size;
        private @Nullable URI serviceUri;
        private @Nullable String serviceToken;
        private @Nullable String ownerSecret;
        private @Nullable InetSocketAddress rootAddress;
        private @Nullable String networkInterface;
        private @Nullable MulticastGroup group;
        private String madcap = MADCAP_AUTO;
        private @Nullable Path topology;
        private @Nullable Path profile;
        private @Nullable JobKey key;
        private Duration joinTimeout = Duration.ofSeconds(30);
        private @Nullable ObjectInputFilter objectFilter;
        private @Nullable BroadcastParameters parameters;

        private Builder(String jobId, int rank, int size) {
            this.jobId = jobId;
            this.rank = rank;
            this.size = size;
        }

        /** See {@link CommunicatorConfig#name()}. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** See {@link CommunicatorConfig#serviceUri()}. */
        public Builder serviceUri(@Nullable URI uri) {
            this.serviceUri = uri;
            return this;
        }

        /** See {@link CommunicatorConfig#serviceToken()}. */
        public Builder serviceToken(@Nullable String token) {
            this.serviceToken = token;
            return this;
        }

        /**
         * See {@link CommunicatorConfig#ownerSecret()}.
         *
         * @throws IllegalArgumentException unless it is 16 to 128 printable ASCII characters
         */
        public Builder ownerSecret(@Nullable String secret) {
            if (secret != null && !secret.matches("[!-~]{16,128}")) {
                throw new IllegalArgumentException(
                        "an owner secret has 16 to 128 printable ASCII characters");
            }
            this.ownerSecret = secret;
            return this;
        }

        /** See {@link CommunicatorConfig#rootAddress()}. */
        public Builder rootAddress(@Nullable InetSocketAddress address) {
            this.rootAddress = address;
            return this;
        }

        /** See {@link CommunicatorConfig#networkInterface()}. */
        public Builder networkInterface(@Nullable String nameOrAddress) {
            this.networkInterface = nameOrAddress;
            return this;
        }

        /** See {@link CommunicatorConfig#group()}. */
        public Builder group(@Nullable MulticastGroup group) {
            this.group = group;
            return this;
        }

        /** See {@link CommunicatorConfig#madcap()}. */
        public Builder madcap(String where) {
            this.madcap = where;
            return this;
        }

        /** See {@link CommunicatorConfig#topology()}. */
        public Builder topology(@Nullable Path file) {
            this.topology = file;
            return this;
        }

        /** See {@link CommunicatorConfig#profile()}. */
        public Builder profile(@Nullable Path file) {
            this.profile = file;
            return this;
        }

        /** See {@link CommunicatorConfig#key()}. */
        public Builder key(@Nullable JobKey key) {
            this.key = key;
            return this;
        }

        /** See {@link CommunicatorConfig#joinTimeout()}. */
        public Builder joinTimeout(Duration timeout) {
            this.joinTimeout = timeout;
            return this;
        }

        /** See {@link CommunicatorConfig#objectFilter()}. */
        public Builder objectFilter(@Nullable ObjectInputFilter filter) {
            this.objectFilter = filter;
            return this;
        }

        /** See {@link CommunicatorConfig#parameters()}. */
        public Builder parameters(BroadcastParameters parameters) {
            this.parameters = parameters;
            return this;
        }

        /**
         * The configuration.
         *
         * @throws IllegalArgumentException with the value and its range when one is out of range
         */
        public CommunicatorConfig build() {
            return new CommunicatorConfig(this);
        }
    }
}
