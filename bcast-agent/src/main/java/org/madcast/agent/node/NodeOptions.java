package org.madcast.agent.node;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Option;

/** The options of every command that talks to agents: what lets it in, and how long it waits. */
public final class NodeOptions {

    private static final Duration LONGEST = Duration.ofHours(1);

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:MADCAST_AGENT_TOKEN_FILE}",
            description = {
                "The agents' token (default $MADCAST_AGENT_TOKEN_FILE or",
                "~/.config/madcast/agent.token)."
            })
    private @Nullable Path tokenFile;

    @Option(
            names = "--connect-timeout",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description = "How long an agent may take to answer (default ${DEFAULT-VALUE}).")
    private String connectTimeout = "";

    /**
     * The agents' token.
     *
     * @throws CommandFailure when it cannot be read
     */
    public NodeToken token() {
        return NodeToken.read(NodeToken.file(tokenFile));
    }

    /**
     * How long an agent may take to answer.
     *
     * @throws IllegalArgumentException when the user's value is none, or below 1 ms or above 1 h
     */
    public Duration connectTimeout() {
        Duration timeout = Units.duration(connectTimeout);
        if (!timeout.isPositive() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "--connect-timeout must be 1ms to 1h, not " + connectTimeout);
        }
        return timeout;
    }
}
