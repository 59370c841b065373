package org.madcast.agent.process;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** The variables that {@code Communicator.fromEnvironment()} reads, for the ranks of one job. */
public final class RankEnvironment {

    private final Map<String, String> shared = new LinkedHashMap<>();

    /** For a job of {@code size} ranks. */
    public RankEnvironment(String job, int size) {
        shared.put("MADCAST_JOB_ID", job);
        shared.put("MADCAST_SIZE", Integer.toString(size));
    }

    /** The ranks meet, and get their group, through this service. */
    public RankEnvironment service(URI service) {
        shared.put("MADCAST_SERVICE", service.toString());
        return this;
    }

    /** The ranks meet at rank 0, which listens at this host and port. */
    public RankEnvironment root(String host, int port) {
        shared.put("MADCAST_ROOT", host + ":" + port);
        return this;
    }

    /** A further variable. */
    public RankEnvironment with(String name, String value) {
        shared.put(name, value);
        return this;
    }

    /** What one rank gets. */
    public Map<String, String> of(int rank, String interfaceName) {
        Map<String, String> variables = new LinkedHashMap<>(shared);
        variables.put("MADCAST_RANK", Integer.toString(rank));
        if (!interfaceName.isEmpty()) {
            variables.put("MADCAST_INTERFACE", interfaceName);
        }
        return variables;
    }
}
