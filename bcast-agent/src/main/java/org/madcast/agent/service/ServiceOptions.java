package org.madcast.agent.service;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.TrustOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which service a command speaks to, and how it answers; shared by the commands on leases. */
public final class ServiceOptions {

    @Option(
            names = "--service",
            paramLabel = "URI",
            defaultValue = "${env:MADCAST_SERVICE:-http://127.0.0.1:8730}",
            description = {
                "The service's address (default $MADCAST_SERVICE",
                "or http://127.0.0.1:8730)."
            })
    private URI service = URI.create("http://127.0.0.1:8730");

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:MADCAST_TOKEN}",
            description = "Bearer token for the service (default $MADCAST_TOKEN).")
    private @Nullable String token;

    @Mixin private TrustOptions unusedButForItsOption = new TrustOptions();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    /** The service. */
    public URI uri() {
        return service;
    }

    /** The line of a request that carries the token, empty without one. */
    public String tokenHeader() {
        return token == null || token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
    }

    /** A client for the service. */
    public ServiceClient client() {
        return new ServiceClient(service, token == null || token.isEmpty() ? null : token);
    }

    /**
     * A client for what only an operator may do: with the token that the service left for him on
     * this machine when none is named.
     */
    public ServiceClient operatorClient() {
        return token == null || token.isEmpty()
                ? new ServiceClient(service, OperatorToken.find(service).orElse(null))
                : client();
    }

    /**
     * Has an operator's client delete what is at a path.
     *
     * @param done what is printed then, for people
     * @return the exit code
     */
    public int delete(CommandSpec command, String path, String done) throws InterruptedException {
        operatorClient().delete(path, Map.of());
        command.commandLine().getOut().println(json ? "{}" : done);
        return ExitCode.OK.code();
    }

    /** A name as a part of a path or query: a blank as every reader of URIs reads it. */
    public static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** True when the answer is for a script. */
    public boolean json() {
        return json;
    }
}
