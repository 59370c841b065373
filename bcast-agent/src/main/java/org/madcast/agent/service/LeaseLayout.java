package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the groups of a lease lie to each other. */
final class LeaseLayout {

    @Option(names = "--block", description = "Addresses in a row.")
    private boolean block;

    @Option(
            names = "--align",
            paramLabel = "N",
            description = "A block whose first address is a multiple of N, a power of two.")
    private @Nullable Integer alignment;

    @Option(
            names = "--offset",
            paramLabel = "N",
            description = "What the first address is above such a multiple.")
    private @Nullable Integer offset;

    @Option(
            names = "--ports",
            paramLabel = "N",
            description = "Ports in a row on each address (default 1).")
    private @Nullable Integer ports;

    @Option(
            names = "--blue-scope",
            paramLabel = "SCOPE",
            description = "Pairs of a red group from --scope and a blue one from here.")
    private @Nullable String blueScope;

    /** What the service wants to know of it, nothing when it may be anyhow. */
    Optional<JsonObject> json() {
        JsonObject layout = new JsonObject();
        if (block) {
            layout.put("block", true);
        }
        put(layout, "alignment", alignment);
        put(layout, "offset", offset);
        put(layout, "portsPerAddress", ports);
        put(layout, "blueScope", blueScope);
        return layout.isEmpty() ? Optional.empty() : Optional.of(layout);
    }

    private static void put(JsonObject object, String name, @Nullable Object value) {
        if (value != null) {
            object.put(name, value);
        }
    }
}
