package org.madcast.agent.node;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.CommunicatorConfig;

/**
 * The job that a sender makes with the nodes: all that a rank needs in order to join it.
 *
 * @param job the job's name
 * @param rank the node's rank; the sender is rank 0
 * @param size how many ranks there are
 * @param root where rank 0 waits for the others
 * @param service the allocation service, or null
 * @param ownerSecret what lets ranks with different tokens meet at the service, or null
 * @param joinTimeout how long ranks wait for each other
 * @param parameters the sender's variables for {@link BroadcastParameters}, since all ranks need
 *     the same
 */
public record JoinRequest(
        String job,
        int rank,
        int size,
        InetSocketAddress root,
        @Nullable URI service,
        @Nullable String ownerSecret,
        Duration joinTimeout,
        Map<String, String> parameters) {

    private static final String COMMUNICATOR = "push";

    /** The message that carries it. */
    public JsonObject toMessage() {
        JsonObject message = NodeChannel.message("join");
        message.put("job", job);
        message.put("rank", rank);
        message.put("size", size);
        message.put("rootHost", root.getAddress().getHostAddress());
        message.put("rootPort", root.getPort());
        if (service != null) {
            message.put("service", service.toString());
        }
        if (ownerSecret != null) {
            message.put("ownerSecret", ownerSecret);
        }
        message.put("joinTimeoutMs", joinTimeout.toMillis());
        JsonObject variables = new JsonObject();
        variables.putAll(parameters);
        message.put("parameters", variables);
        return message;
    }

    /** Reads it. */
    public static JoinRequest of(JsonObject message) throws IOException {
        Map<String, String> parameters = new TreeMap<>();
        JsonObject variables = message.getObject("parameters", new JsonObject());
        variables.keySet().stream()
                .filter(BroadcastParameters.variables()::contains)
                .forEach(name -> parameters.put(name, variables.getString(name, "")));
        String service = message.getString("service", "");
        try {
            return new JoinRequest(
                    message.getString("job", ""),
                    message.getInt("rank"),
                    message.getInt("size"),
                    new InetSocketAddress(
                            message.getString("rootHost", ""), message.getInt("rootPort")),
                    service.isEmpty() ? null : URI.create(service),
                    message.getString("ownerSecret", null),
                    Duration.ofMillis(message.getLong("joinTimeoutMs")),
                    parameters);
        } catch (IllegalArgumentException e) {
            throw new IOException("invalid request: " + e.getMessage(), e);
        }
    }

    /** The same request for another rank. */
    public JoinRequest forRank(int other) {
        return new JoinRequest(
                job, other, size, root, service, ownerSecret, joinTimeout, parameters);
    }

    /**
     * What the rank joins.
     *
     * @param networkInterface the interface to use, or null for the one towards the others
     * @param serviceToken the bearer token for the service, or null
     * @param key what datagrams are sealed with, or null
     * @throws IllegalArgumentException when a value is out of range
     */
    public CommunicatorConfig config(
            @Nullable String networkInterface,
            @Nullable String serviceToken,
            @Nullable PushKey key) {
        return CommunicatorConfig.builder(job, rank, size)
                .name(COMMUNICATOR)
                .rootAddress(root)
                .serviceUri(service)
                .serviceToken(serviceToken)
                .ownerSecret(ownerSecret)
                .key(key == null ? null : key.key())
                .networkInterface(networkInterface)
                // No MADCAP server is waited for: a push is short, and moves when others talk.
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .joinTimeout(joinTimeout)
                .parameters(BroadcastParameters.builder(Map.of(), parameters).build())
                .build();
    }
}
