package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The properties of a scope that a command names. */
final class ScopeOptions {

    private static final Pattern PORTS =
            Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?(?:/(\\d{1,5}))?");

    @Option(
            names = "--range",
            paramLabel = "RANGE",
            description =
                    "Addresses, such as 239.195.0.0/16 or ff18::/112; may be repeated. Those that"
                            + " there are, are replaced.")
    private List<String> ranges = new ArrayList<>();

    @Option(names = "--description", paramLabel = "TEXT", description = "What people call it.")
    private @Nullable String description;

    @Option(
            names = "--port",
            paramLabel = "PORTS",
            description = "The ports, such as 5000-32768/2: by steps of two.")
    private @Nullable String ports;

    @Option(
            names = "--ttl",
            paramLabel = "N",
            description = "The time to live that keeps datagrams inside.")
    private @Nullable Integer ttl;

    @Option(
            names = "--segment",
            paramLabel = "NAME",
            description = "The layer-2 domain: leases of one share no Ethernet address.")
    private @Nullable String segment;

    @Option(
            names = "--by-port",
            negatable = true,
            description = "Whether leases may share an address by its ports.")
    private @Nullable Boolean byPort;

    @Option(
            names = "--picker",
            paramLabel = "ORDER",
            description = "The order in which groups are dealt: permutation or sequential.")
    private @Nullable String picker;

    @Option(
            names = "--quarantine",
            paramLabel = "TIME",
            description = "How long a group rests after its lease, such as 60s.")
    private @Nullable String quarantine;

    @Option(
            names = "--longest-lease",
            paramLabel = "TIME",
            description = "The longest time of a lease, such as 7d.")
    private @Nullable String longestLease;

    @Option(
            names = "--groups-per-job",
            paramLabel = "N",
            description = "How many groups one job may have; 0 for any number.")
    private @Nullable Integer groupsPerJob;

    @Option(
            names = "--groups-per-user",
            paramLabel = "N",
            description = "How many groups one user may have; 0 for any number.")
    private @Nullable Integer groupsPerUser;

    @Option(names = "--unscoped", description = "Other ranges than those of RFC 2365 are meant.")
    private boolean unscoped;

    @Option(names = "--closed", description = "Grant no leases from it any more.")
    private boolean closed;

    @Option(names = "--open", description = "Grant leases from it again.")
    private boolean open;

    /** The properties, with those that were named put over them. */
    JsonObject over(CommandSpec spec, JsonObject scope) {
        if (closed && open) {
            throw new ParameterException(spec.commandLine(), "use only one of --closed and --open");
        }
        if (!ranges.isEmpty()) {
            scope.put("ranges", new JsonArray(ranges));
        }
        ServiceClient.putIfGiven(scope, "description", description);
        ServiceClient.putIfGiven(scope, "ttl", ttl);
        ServiceClient.putIfGiven(scope, "picker", picker);
        ServiceClient.putIfGiven(
                scope, "quarantineSeconds", seconds(spec, "--quarantine", quarantine));
        ServiceClient.putIfGiven(
                scope, "longestLeaseSeconds", seconds(spec, "--longest-lease", longestLease));
        if (ports != null) {
            scope.put("ports", ports(spec, ports));
        }
        putIn(scope, "sharing", "segment", segment);
        putIn(scope, "sharing", "addressesByPort", byPort);
        putQuota(scope, "groupsPerJob", groupsPerJob);
        putQuota(scope, "groupsPerUser", groupsPerUser);
        ServiceClient.putIfGiven(scope, "allowUnscoped", unscoped ? Boolean.TRUE : null);
        ServiceClient.putIfGiven(
                scope, "closed", closed ? Boolean.TRUE : open ? Boolean.FALSE : null);
        return scope;
    }

    private static void putIn(JsonObject scope, String part, String name, @Nullable Object value) {
        if (value != null) {
            JsonObject parts = scope.getObject(part, new JsonObject());
            parts.put(name, value);
            scope.put(part, parts);
        }
    }

    private static void putQuota(JsonObject scope, String name, @Nullable Integer groups) {
        if (groups != null && groups == 0) {
            scope.getObject("quota", new JsonObject()).remove(name);
        } else {
            putIn(scope, "quota", name, groups);
        }
    }

    private static @Nullable Long seconds(
            CommandSpec spec, String option, @Nullable String duration) {
        try {
            return duration == null ? null : Long.valueOf(Units.duration(duration).toSeconds());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
        }
    }

    private static JsonObject ports(CommandSpec spec, String text) {
        Matcher parts = PORTS.matcher(text.strip());
        if (!parts.matches()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port: '" + text + "' are no ports; write 5000, 5000-5999 or 5000-5999/2");
        }
        JsonObject ports = new JsonObject();
        ports.put("first", Integer.parseInt(parts.group(1)));
        ports.put(
                "last", Integer.parseInt(parts.group(2) == null ? parts.group(1) : parts.group(2)));
        ports.put("step", parts.group(3) == null ? 1 : Integer.parseInt(parts.group(3)));
        return ports;
    }
}
