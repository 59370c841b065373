package org.madcast.client.internal;

import java.io.IOException;
import org.madcast.client.MadcastException;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;
import org.madcast.client.RevokedException;
import org.madcast.client.TransportException;
import org.madcast.client.protocol.Failure;

/** From what an engine says of its end to what a caller gets. */
final class EngineFailure {

    private EngineFailure() {}

    static MadcastException toException(Failure failure) {
        return switch (failure.kind()) {
            case RANK_DIED, RANK_LEFT, MEMORY_FREED ->
                    new RankLostException(failure.rank(), failure.describe());
            case CALL_MISMATCH -> new MismatchException(differentCalls(failure), false);
            case SIZE_MISMATCH -> new MismatchException(failure.describe(), true);
            case ROOT_MISMATCH, ALGORITHM_MISMATCH, OPERATION_MISMATCH ->
                    new MismatchException(failure.describe(), false);
            case REVOKED -> new RevokedException(failure.rank(), failure.describe());
            case STREAM_FORGED, FRAGMENT_MISSING ->
                    new TransportException(failure.describe(), null);
        };
    }

    private static String differentCalls(Failure failure) {
        String own = CallSignature.name(failure.actual());
        return failure.actual() == failure.expected()
                ? "rank %d called %s, another rank with another length or after other broadcasts"
                        .formatted(failure.rank(), own)
                : "rank %d called %s, another rank %s"
                        .formatted(failure.rank(), own, CallSignature.name(failure.expected()));
    }

    static TransportException brokenSockets(int rank, IOException broken) {
        return new TransportException(
                "rank " + rank + ": the sockets broke: " + broken.getMessage(), broken);
    }

    /** Of calls that nothing will end any more. */
    static TransportException unfinished(int rank) {
        return new TransportException(
                "rank " + rank + " stopped before the broadcast was complete", null);
    }
}
