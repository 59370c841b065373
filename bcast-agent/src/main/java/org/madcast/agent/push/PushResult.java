package org.madcast.agent.push;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.FileFailure;

/**
 * How a push ended.
 *
 * @param nodes each node's outcome, in the order in which they were named
 * @param files how many files there were
 * @param bytes their bytes
 * @param streamBytes what went over the network, one time for all nodes
 * @param seconds how long it took, from the first connection on
 * @param rounds how often a job was made; more than once when nodes were lost
 * @param sourceFailures files that the sender could not read
 * @param transmission how the last round went over the network; null when there was none
 */
record PushResult(
        List<NodeOutcome> nodes,
        long files,
        long bytes,
        long streamBytes,
        double seconds,
        int rounds,
        List<FileFailure> sourceFailures,
        @Nullable Transmission transmission) {

    boolean isComplete() {
        return sourceFailures.isEmpty() && nodes.stream().allMatch(NodeOutcome::isComplete);
    }

    /** Whether any node took part to the end. */
    boolean reachedAny() {
        return nodes.stream().anyMatch(node -> node.report() != null);
    }

    double bytesPerSecond() {
        return seconds > 0 && reachedAny() ? bytes / seconds : 0;
    }
}
