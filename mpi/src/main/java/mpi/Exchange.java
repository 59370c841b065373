package mpi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.madcast.client.Communicator;
import org.madcast.client.Edge;

/**
 * A collective call in which each rank knows whom it sends to and receives from, and others take
 * part with nothing. What is sent may be data or objects: of objects the receiver gets the length
 * with the message.
 */
final class Exchange {

    private final Communicator ranks;
    private final List<Edge> sent = new ArrayList<>();
    private final List<Edge> received = new ArrayList<>();
    private final List<Payload> payloads = new ArrayList<>();

    Exchange(Communicator ranks) {
        this.ranks = ranks;
    }

    void to(int rank, MemorySegment message) {
        sent.add(new Edge(rank, message));
    }

    void from(int rank, MemorySegment into) {
        received.add(new Edge(rank, into));
    }

    /** Into memory that is made for the message's length. */
    void from(int rank, LongFunction<MemorySegment> memoryForBytes) {
        received.add(new Edge(rank, MemorySegment.NULL, memoryForBytes));
    }

    /** Into a program's buffer. */
    void from(int rank, Payload payload) {
        if (payload.sizedByMessage()) {
            from(rank, payload::memoryFor);
        } else {
            from(rank, payload.memory());
        }
        payloads.add(payload);
    }

    CollectiveCall call() {
        return call(() -> {});
    }

    /** The call, and what is done on the program's thread when it has ended. */
    CollectiveCall call(Runnable then) {
        return new CollectiveCall(
                new CollectiveCall.TwoWays(
                        () -> ranks.iexchange(sent, received),
                        () -> ranks.exchange(sent, received)),
                () -> {
                    payloads.forEach(each -> each.arrived(each.memory().byteSize()));
                    then.run();
                });
    }
}
