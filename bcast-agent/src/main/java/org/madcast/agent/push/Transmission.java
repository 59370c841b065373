package org.madcast.agent.push;

import java.util.Map;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorStatistics;

/**
 * How a round's data went over the network, as its sender knows it.
 *
 * @param algorithm by which pieces were sent in the end
 * @param reason why by that one
 * @param multicastFailed whether multicast was wanted and did not reach all
 * @param datagramsSent what the sender sent, of every type
 * @param repairsSent fragments among them that a node had lost
 */
record Transmission(
        Algorithm algorithm,
        String reason,
        boolean multicastFailed,
        long datagramsSent,
        long repairsSent) {

    /** About what goes through one broadcast, which says by which algorithm. */
    static final long PIECE_BYTES = 1 << 20;

    /**
     * Of this sender's communicator until now.
     *
     * @param variables for the broadcast parameters, which may name an algorithm
     */
    static Transmission of(Communicator communicator, Map<String, String> variables) {
        AlgorithmSelection selection = communicator.selection(PIECE_BYTES);
        BroadcastParameters parameters = BroadcastParameters.builder(Map.of(), variables).build();
        boolean wanted =
                parameters
                        .algorithm()
                        .map(Algorithm::usesMulticast)
                        .orElse(parameters.prefersMulticast());
        CommunicatorStatistics statistics = communicator.statistics();
        return new Transmission(
                selection.algorithm(),
                selection.reason(),
                wanted && !selection.algorithm().usesMulticast(),
                statistics.datagramsSent(),
                statistics.repairsSent());
    }
}
