package org.madcast.agent.probe;

import java.util.List;

/**
 * Something that is wrong, and what to do about it.
 *
 * @param trouble its name, for scripts
 * @param nodes where
 * @param what what was seen
 * @param cure what to do
 */
record Finding(Trouble trouble, List<String> nodes, String what, String cure) {

    /** What can be wrong. The names are stable. */
    enum Trouble {
        UNREACHABLE("unreachable"),
        WRONG_INTERFACE("wrong-interface"),
        NO_DATAGRAMS("no-datagrams"),
        NO_MULTICAST("no-multicast"),
        ASYMMETRIC("asymmetric"),
        BLOCKED_GROUP("blocked-group"),
        TTL_TOO_SMALL("ttl-too-small"),
        LARGE_DATAGRAMS("large-datagrams-dropped"),
        SMALL_BUFFER("small-receive-buffer"),
        PACED_TCP("paced-tcp"),
        SLOW_RECEIVER("slow-receiver"),
        LOSS("loss"),
        NO_QUERIER("no-querier");

        private final String label;

        Trouble(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
