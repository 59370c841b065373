package org.madcast.agent.push;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.node.PushKey;
import org.madcast.client.file.FileBroadcastOptions;

/**
 * What is pushed, where to, and how.
 *
 * @param sources files and trees
 * @param nodes the nodes
 * @param destination a directory on every node, or the new name of the only source; absolute
 * @param files how files are broadcast
 * @param dropSlow whether a node that all others wait for is left behind
 * @param token the agents' token
 * @param attachment how this process is attached to the network
 * @param connectTimeout how long to wait for an agent to answer
 * @param parameters variables for the broadcast parameters, the same on all ranks
 */
record PushOptions(
        List<Path> sources,
        List<NodeName> nodes,
        String destination,
        FileBroadcastOptions files,
        boolean dropSlow,
        NodeToken token,
        Attachment attachment,
        Duration connectTimeout,
        Map<String, String> parameters) {

    /**
     * How this process is attached.
     *
     * @param networkInterface the interface, or null for the one that leads to the nodes
     * @param service the allocation service, or null
     * @param serviceToken the bearer token for it, or null
     * @param key what datagrams are sealed with, or null
     */
    record Attachment(
            @Nullable String networkInterface,
            @Nullable URI service,
            @Nullable String serviceToken,
            @Nullable PushKey key) {}

    /** Whether the destination may be a new name: as for {@code cp}, of one file. */
    boolean mayRename() {
        return sources.size() == 1
                && Files.isRegularFile(sources.getFirst())
                && !destination.endsWith("/");
    }
}
