package org.madcast.agent.push;

import org.jspecify.annotations.Nullable;
import org.madcast.client.file.RankReport;

/**
 * How a push ended for one node.
 *
 * @param node as the user named it
 * @param state how
 * @param reason why, when it does not have everything; else empty
 * @param report what it did, null when it did not come to the end
 */
record NodeOutcome(String node, State state, String reason, @Nullable RankReport report) {

    enum State {
        /** It has everything. */
        COMPLETE("complete"),
        /** Some files failed on it. */
        PARTLY("partly"),
        /** No agent answered there. */
        UNREACHABLE("unreachable"),
        /** The agent refused. */
        REFUSED("refused"),
        /** It died or vanished. */
        LOST("lost"),
        /** It was left behind because all others waited for it. */
        DROPPED("dropped");

        private final String label;

        State(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    static NodeOutcome failed(String node, State state, String reason) {
        return new NodeOutcome(node, state, reason, null);
    }

    boolean isComplete() {
        return state == State.COMPLETE;
    }
}
