package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the groups of a lease lie to each other. */
final class LeaseLayout {

    @Option(names = "--block", description = "Lease consecutive addresses.")
    private boolean block;

    @Option(
            names = "--align",
            paramLabel = "N",
            description = "Lease a block whose first address is a multiple of N, a power of two.")
    private @Nullable Integer alignment;

    @Option(
            names = "--offset",
            paramLabel = "N",
            description = "How far the first address is above that multiple.")
    private @Nullable Integer offset;

    @Option(
            names = "--ports",
            paramLabel = "N",
            description = "Consecutive ports on each address (default 1).")
    private @Nullable Integer ports;

    @Option(
            names = "--blue-scope",
            paramLabel = "SCOPE",
            description = "Lease pairs: a red group from --scope and a blue one from this scope.")
    private @Nullable String blueScope;

    /** What the service wants to know of it, nothing when it may be anyhow. */
    Optional<JsonObject> json() {
        JsonObject layout = new JsonObject();
        if (block) {
            layout.put("block", true);
        }
        ServiceClient.putIfGiven(layout, "alignment", alignment);
        ServiceClient.putIfGiven(layout, "offset", offset);
        ServiceClient.putIfGiven(layout, "portsPerAddress", ports);
        ServiceClient.putIfGiven(layout, "blueScope", blueScope);
        return layout.isEmpty() ? Optional.empty() : Optional.of(layout);
    }
}
