package org.madcast.client;

import java.io.ObjectInputFilter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Reads a configuration from environment variables: a pure function of the map. */
final class CommunicatorConfigEnvironment {

    private static final String EXAMPLE = "MADCAST_RANK=0 MADCAST_SIZE=4 MADCAST_JOB_ID=myjob";

    /** Variables whose values no message shows. */
    private static final Set<String> SECRETS = Set.of("MADCAST_TOKEN", "MADCAST_KEY");

    private final Map<String, String> environment;

    CommunicatorConfigEnvironment(Map<String, String> environment) {
        this.environment = environment;
    }

    /** How many of the ranks are spare. */
    int spares() {
        return CommunicatorConfigLauncher.isSet(environment, "MADCAST_SPARES")
                ? number("MADCAST_SPARES", 0, 65_534)
                : 0;
    }

    CommunicatorConfig config(BroadcastParameters parameters) {
        CommunicatorConfigLauncher launcher =
                CommunicatorConfigLauncher.of(environment)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "this process's rank is unknown: none of "
                                                + CommunicatorConfigLauncher.rankVariables()
                                                + " is set. Start it by a launcher, or set "
                                                + EXAMPLE));
        int size = size(launcher);
        int rank = number(launcher.rankVariable(), 0, size - 1);
        String jobId = jobId(launcher, rank);
        CommunicatorConfig.Builder builder =
                CommunicatorConfig.builder(jobId, rank, size).parameters(parameters);
        if (size > 1 && !CommunicatorConfigLauncher.isSet(environment, "MADCAST_SERVICE")) {
            launcher.root(environment, jobId, size).ifPresent(builder::rootAddress);
        }
        read("MADCAST_COMMUNICATOR", Function.identity()).ifPresent(builder::name);
        read("MADCAST_SERVICE", CommunicatorConfigEnvironment::uri).ifPresent(builder::serviceUri);
        read("MADCAST_TOKEN", Function.identity()).ifPresent(builder::serviceToken);
        read("MADCAST_OWNER_SECRET", Function.identity()).ifPresent(builder::ownerSecret);
        read("MADCAST_ROOT", CommunicatorConfigEnvironment::hostAndPort)
                .ifPresent(builder::rootAddress);
        read("MADCAST_INTERFACE", Function.identity()).ifPresent(builder::networkInterface);
        read("MADCAST_GROUP", CommunicatorConfigEnvironment::group).ifPresent(builder::group);
        read("MADCAST_KEY", JobKey::ofHex).ifPresent(builder::key);
        read("MADCAST_TOPOLOGY", Path::of).ifPresent(builder::topology);
        read("MADCAST_MADCAP", CommunicatorConfigEnvironment::madcap).ifPresent(builder::madcap);
        read("MADCAST_JOIN_TIMEOUT", CommunicatorConfigEnvironment::duration)
                .ifPresent(builder::joinTimeout);
        read("MADCAST_OBJECT_FILTER", ObjectInputFilter.Config::createFilter)
                .ifPresent(builder::objectFilter);
        return builder.build();
    }

    private int size(CommunicatorConfigLauncher launcher) {
        String variable =
                launcher.sizeVariables().stream()
                        .filter(name -> CommunicatorConfigLauncher.isSet(environment, name))
                        .findFirst()
                        .orElseThrow(() ->
                                missing(launcher, "number of ranks", launcher.sizeVariables()));
        return number(variable, 1, 65_535);
    }

    private String jobId(CommunicatorConfigLauncher launcher, int rank) {
        return launcher.jobId(environment, rank)
                .orElseThrow(() -> missing(launcher, "job id", launcher.jobVariables()));
    }

    private static IllegalArgumentException missing(
            CommunicatorConfigLauncher launcher, String what, List<String> variables) {
        return new IllegalArgumentException(
                "the "
                        + what
                        + " is unknown: "
                        + launcher.rankVariable()
                        + " ("
                        + launcher.title()
                        + ") is set, but not "
                        + String.join(" or ", variables)
                        + ". Set "
                        + variables.getFirst());
    }

    private int number(String variable, int min, int max) {
        String text = environment.getOrDefault(variable, "").trim();
        OptionalLong value = BroadcastParametersKind.COUNT.parse(text);
        if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
            throw new IllegalArgumentException(
                    variable + " = '" + text + "' is not a number from " + min + " to " + max);
        }
        return (int) value.getAsLong();
    }

    /** The variable's value, empty when it is not set, refused with its name when it is invalid. */
    private <T> Optional<T> read(String variable, Function<String, T> reader) {
        if (!CommunicatorConfigLauncher.isSet(environment, variable)) {
            return Optional.empty();
        }
        String text = environment.getOrDefault(variable, "").trim();
        try {
            return Optional.of(reader.apply(text));
        } catch (IllegalArgumentException invalid) {
            String shown = SECRETS.contains(variable) ? "..." : text;
            throw new IllegalArgumentException(
                    variable + " = '" + shown + "': " + invalid.getMessage(), invalid);
        }
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException(
                    "not a URI, must look like http://host:port", malformed);
        }
    }

    private static InetSocketAddress hostAndPort(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        if (bare.isEmpty() || (bare.indexOf(':') >= 0 && !bracketed)) {
            throw new IllegalArgumentException("must look like host:port or [IPv6 address]:port");
        }
        OptionalLong port = BroadcastParametersKind.COUNT.parse(text.substring(colon + 1));
        if (port.isEmpty() || port.getAsLong() < 1 || port.getAsLong() > 65_535) {
            throw new IllegalArgumentException("the port must be a number from 1 to 65535");
        }
        return InetSocketAddress.createUnresolved(bare, (int) port.getAsLong());
    }

    private static MulticastGroup group(String text) {
        InetSocketAddress address = hostAndPort(text);
        return new MulticastGroup(
                InetAddress.ofLiteral(address.getHostString()), address.getPort());
    }

    private static String madcap(String text) {
        CommunicatorConfig.checkMadcap(text);
        return text;
    }

    private static Duration duration(String text) {
        return Duration.ofNanos(
                BroadcastParametersKind.DURATION
                        .parse(text)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "not a duration such as 500ms, 30s or 2min")));
    }
}
