package org.madcast.client;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which communicator to join, as which rank, and who introduces the ranks to each other.
 *
 * @param jobId the job, the same on all of its ranks and unlike any other job's; 1 to 200
 *     characters
 * @param name the communicator's name within the job, 1 to 100 characters
 * @param rank this process's number
 * @param size how many processes take part
 * @param serviceUri the allocation service, such as {@code http://127.0.0.1:8730}, or null
 * @param serviceToken the bearer token for the service, or null
 * @param rootAddress where rank 0 waits for the others when there is no service, or null; a name
 *     that is not resolved yet is resolved at each attempt to connect
 * @param networkInterface the interface by name or by one of its addresses, or null for the one
 *     that leads to the service or to rank 0
 * @param groupChoice where the group comes from when the service does not lease one
 * @param key seals all datagrams, the same on every rank; null: they carry a checksum only
 * @param joinTimeout how long to wait for the other ranks
 * @param parameters how to broadcast
 */
public record CommunicatorConfig(
        String jobId,
        String name,
        int rank,
        int size,
        @Nullable URI serviceUri,
        @Nullable String serviceToken,
        @Nullable InetSocketAddress rootAddress,
        @Nullable String networkInterface,
        GroupChoice groupChoice,
        @Nullable JobKey key,
        Duration joinTimeout,
        BroadcastParameters parameters) {

    /** Asks the RFC 2730 servers of the network. */
    public static final String MADCAP_AUTO = "auto";

    /** Asks no RFC 2730 server. */
    public static final String MADCAP_OFF = "off";

    private static final int MAX_SIZE = 65_535;
    private static final Pattern MADCAP = Pattern.compile("[\\w.-]{1,253}(:[1-9]\\d{0,4})?");
    private static final Duration MAX_JOIN_TIMEOUT = Duration.ofDays(7);

    /** Refuses values out of range, with the value and the range in the message. */
    public CommunicatorConfig {
        checkText("job id", jobId, 200);
        checkText("communicator name", name, 100);
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
                    "root address " + rootAddress + " needs a port, 1 to 65535");
        }
        if (!joinTimeout.isPositive() || joinTimeout.compareTo(MAX_JOIN_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "join timeout " + joinTimeout + " is outside 1 ns to 7 days");
        }
    }

    private static void checkText(String what, String value, int maxLength) {
        if (value.isBlank() || value.length() > maxLength) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' must have 1 to " + maxLength + " characters");
        }
    }

    /**
     * Where the group comes from.
     *
     * @param fixed a group of the user's own instead of a leased one, or null
     * @param madcap where rank 0 asks for a group when no service leases one and the ranks meet at
     *     it: {@link #MADCAP_AUTO} for the RFC 2730 servers of the network, a server as {@code
     *     host} or {@code host:port}, or {@link #MADCAP_OFF}
     */
    public record GroupChoice(@Nullable MulticastGroup fixed, String madcap) {

        /** Refuses a server that is none. */
        public GroupChoice {
            checkMadcap(madcap);
        }
    }

    /** The user's own group, or null. */
    public @Nullable MulticastGroup group() {
        return groupChoice.fixed();
    }

    /** Where to ask for a group by RFC 2730. */
    public String madcap() {
        return groupChoice.madcap();
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

    /** Starts a configuration with what every one needs. */
    public static Builder builder(String jobId, int rank, int size) {
        return new Builder(jobId, rank, size);
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
                + (rootAddress == null ? "none" : rootAddress)
                + ", interface "
                + (networkInterface == null ? "automatic" : networkInterface)
                + ", group "
                + (group() == null ? "automatic" : group())
                + ", MADCAP "
                + madcap()
                + (key == null ? "" : ", sealed with a key")
                + ", join timeout "
                + joinTimeout
                + ", "
                + parameters
                + ']';
    }

    /**
     * Collects values; {@link #build()} refuses what is out of range. Unless said otherwise the
     * communicator is called "world", ranks wait 30 s for each other, and the broadcast parameters
     * are {@link BroadcastParameters#fromEnvironment()}. For one thread.
     */
    public static final class Builder {

        private final String jobId;
        private final int rank;
        private final int size;
        private String name = "world";
        private @Nullable URI serviceUri;
        private @Nullable String serviceToken;
        private @Nullable InetSocketAddress rootAddress;
        private @Nullable String networkInterface;
        private @Nullable MulticastGroup group;
        private String madcap = MADCAP_AUTO;
        private @Nullable JobKey key;
        private Duration joinTimeout = Duration.ofSeconds(30);
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
            return new CommunicatorConfig(
                    jobId,
                    name,
                    rank,
                    size,
                    serviceUri,
                    serviceToken,
                    rootAddress,
                    networkInterface,
                    new GroupChoice(group, madcap),
                    key,
                    joinTimeout,
                    parameters == null ? BroadcastParameters.fromEnvironment() : parameters);
        }
    }
}
