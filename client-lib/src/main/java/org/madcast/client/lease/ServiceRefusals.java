package org.madcast.client.lease;

import java.io.IOException;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.JoinFailedException;

/** Says the service's refusals in sentences that tell what to do. */
final class ServiceRefusals {

    private ServiceRefusals() {}

    /**
     * Passes what is no refusal.
     *
     * @throws TemporaryFailureException when the service cannot now
     * @throws JoinFailedException when it refused
     */
    static void check(ServiceConnection.Answer answer, CommunicatorConfig config)
            throws TemporaryFailureException {
        if (answer.isOk()) {
            return;
        }
        if (answer.isTemporary()) {
            throw new TemporaryFailureException(answer.explanation(), null);
        }
        throw new JoinFailedException(sentence(answer, config), null);
    }

    private static String sentence(ServiceConnection.Answer answer, CommunicatorConfig config) {
        String place = place(config);
        int rank = config.rank();
        JsonFields body = answer.body();
        return switch (answer.problem()) {
            case "size-mismatch" ->
                    "%s has %s ranks, but rank %d was started with size %d; start all ranks with one size, or give this run its own job id"
                            .formatted(place, numberOr(body, "expectedSize"), rank, config.size());
            case "rank-taken" ->
                    "rank %d of %s is taken by %s; start each rank once, and give each run its own job id"
                            .formatted(rank, place, body.textOr("holder", "another process"));
            case "rank-out-of-range" ->
                    "rank %d is outside of %s, which has ranks 0 to %d"
                            .formatted(rank, place, config.size() - 1);
            case "pool-exhausted" ->
                    "no group is free for %s; the next may be free at %s"
                            .formatted(place, body.textOr("nextFreeAt", "an unknown time"));
            default -> other(answer, place);
        };
    }

    /** The communicator of this name was complete without this rank for all of the join timeout. */
    static String stillInUse(CommunicatorConfig config) {
        return ("%s of an earlier start was still in use after %d ms, with another process as rank %d;"
                        + " end that one, start each rank once, and give each run its own job id")
                .formatted(place(config), config.joinTimeout().toMillis(), config.rank());
    }

    private static String place(CommunicatorConfig config) {
        return "communicator '" + config.name() + "' of job '" + config.jobId() + "'";
    }

    private static String other(ServiceConnection.Answer answer, String place) {
        if (answer.status() == 401 || answer.status() == 403) {
            return "the service does not let this job in (%s); set MADCAST_TOKEN to a token that it knows"
                    .formatted(answer.explanation());
        }
        return "the service refused %s (%s)".formatted(place, answer.explanation());
    }

    private static String numberOr(JsonFields body, String name) {
        try {
            return Integer.toString(body.number(name, 1, Integer.MAX_VALUE));
        } catch (IOException missing) {
            return "another number of";
        }
    }
}
