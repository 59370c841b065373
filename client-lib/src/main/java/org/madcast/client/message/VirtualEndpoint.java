package org.madcast.client.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The messages of one process without sockets, threads and clocks: its caller carries the bytes
 * between endpoints, complete and in order. For simulations; for one thread.
 */
public final class VirtualEndpoint {

    /** The only context: that of all ranks. */
    public static final long CONTEXT = 1;

    private static final Contexts.Context ALL_RANKS =
            new Contexts.Context() {
                @Override
                public boolean isMember(int rank) {
                    return true;
                }

                @Override
                public void onAbort(byte[] why) {
                    throw new IllegalStateException("nothing fails without a rank that is lost");
                }
            };

    private final Map<Integer, FrameStream> streams = new HashMap<>();
    private final IntConsumer whenToSend;
    private final MessageEngine engine;

    /**
     * An endpoint without any transfer.
     *
     * @param size how many ranks there are
     * @param whenToSend is told a rank for which {@link #fill} has bytes
     */
    public VirtualEndpoint(int size, IntConsumer whenToSend) {
        this.whenToSend = whenToSend;
        engine = new MessageEngine(this::send, Unexpected.budgetBytes(size));
        engine.open(ALL_RANKS, CONTEXT);
    }

    private FrameStream stream(int rank) {
        return streams.computeIfAbsent(rank, it -> new FrameStream(it, engine));
    }

    private void send(int rank, Carrier.Frame frame) {
        stream(rank).add(frame);
        whenToSend.accept(rank);
    }

    /** Begins to send; the destination is another rank. */
    public void start(Transfer.Send send) {
        engine.send(send);
    }

    /** Begins to receive. */
    public void start(Transfer.Receive receive) {
        engine.receive(receive);
        engine.release();
    }

    /**
     * Takes bytes that are to go to a rank; transfers of which all has been taken end meanwhile.
     *
     * @return whether there are more
     */
    public boolean fill(int rank, ByteBuffer out) {
        FrameStream stream = stream(rank);
        int before = out.position();
        stream.fill(out);
        stream.advance(out.position() - before);
        return stream.queued() > 0;
    }

    /** Brings bytes that a rank's {@link #fill} gave, in their order. */
    public void take(int rank, ByteBuffer in) {
        try {
            stream(rank).take(in);
        } catch (IOException notInOrder) {
            throw new IllegalArgumentException("bytes of rank " + rank, notInOrder);
        }
    }
}
