package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.madcast.client.io.ReliableWay;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;
import org.madcast.client.wire.Arrival;

/**
 * The reliable way to the next rank of a communicator, and from the one before: messages in a
 * context of its own.
 *
 * <p><b>Bounds.</b> At most {@link #MOST} datagrams wait here in each direction. When so many have
 * come no further receive is posted, the endpoint's credit ends, and the rank before waits.
 *
 * <p><b>Threads.</b> Transfers end under the endpoint's lock, the rest is called under the loop's.
 * Who holds the loop's may take the endpoint's, never the other way round: so what has come lies
 * here until the loop, woken, takes it.
 */
final class MessageWay implements ReliableWay, MessageEndpoint.Context {

    static final int MOST = 32;

    /** Its messages must not meet receives of the program's, nor of collective calls. */
    private static final long SECOND_STAGE = 0xD1B54A32D192ED03L;

    private static final int ANY = -1;
    private static final int TAG = 0;
    private static final long NO_CALL = 0;

    private final MessageGroup group;
    private final MessageEndpoint endpoint;
    private final long context;
    private final int before;
    private final int datagramBytes;
    private final Queue<MemorySegment> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private @Nullable MemorySegment room;

    /**
     * The receive that waits, and where its message goes; under the endpoint's lock, as all of it.
     */
    private @Nullable Receive posted;

    private MemorySegment landing = MemorySegment.NULL;
    private boolean posting;
    private boolean wanted;
    private volatile boolean paused;
    private Runnable whenReady = () -> {};

    /** The way of a communicator's ranks; nothing is sent or received before it is opened. */
    MessageWay(MessageGroup group, int datagramBytes) {
        this.group = group;
        this.endpoint = group.endpoint();
        this.context = group.context() ^ SECOND_STAGE;
        this.before = group.inWorld((group.self() + group.size() - 1) % group.size());
        this.datagramBytes = datagramBytes;
    }

    @Override
    public void open(Runnable ready) {
        whenReady = ready;
        boolean _ =
                endpoint.quietly(() -> {
                    endpoint.open(this, context);
                    post();
                });
    }

    /**
     * One receive after the other, as long as messages have come for them already: each ends while
     * it is posted, and wants the next.
     */
    private void post() {
        wanted = true;
        if (posting) {
            return;
        }
        posting = true;
        try {
            while (wanted) {
                wanted = false;
                postOne();
            }
        } finally {
            posting = false;
        }
    }

    /**
     * From any rank, since who posts for a certain one waits for it, and asks for signs of life.
     */
    private void postOne() {
        Receive next =
                new Receive(
                        context,
                        ANY,
                        TAG,
                        NO_CALL,
                        MemorySegment.NULL,
                        this::memoryFor,
                        this::onReceived);
        posted = next;
        endpoint.start(next);
    }

    private MemorySegment memoryFor(long bytes) {
        landing =
                bytes > datagramBytes
                        ? MemorySegment.NULL
                        : MemorySegment.ofArray(new byte[(int) bytes]);
        return landing;
    }

    private void onReceived() {
        Outcome how = Objects.requireNonNull(posted).outcome();
        if (how instanceof Outcome.Complete complete && complete.source() == before) {
            paused = waiting.incrementAndGet() >= MOST;
            boolean _ = arrived.add(landing);
            whenReady.run();
        }
        boolean over = how instanceof Outcome.Lost || how instanceof Outcome.Cancelled;
        if (!over && !paused) {
            post();
        }
    }

    @Override
    public @Nullable Arrival receive() {
        MemorySegment next = arrived.poll();
        if (next == null) {
            return null;
        }
        if (waiting.decrementAndGet() == 0 && paused) {
            boolean _ =
                    endpoint.quietly(() -> {
                        paused = false;
                        post();
                    });
        }
        return Arrival.of(next);
    }

    @Override
    public @Nullable MemorySegment room() {
        if (room == null && underWay.get() < MOST) {
            room = MemorySegment.ofArray(new byte[datagramBytes]);
        }
        return room;
    }

    @Override
    public void send(int bytes, int rank) {
        MemorySegment datagram = Objects.requireNonNull(room).asSlice(0, bytes);
        room = null;
        int _ = underWay.incrementAndGet();
        int number = group.inWorld(rank);
        Send send = new Send(context, number, TAG, NO_CALL, datagram, false, this::onSent);
        if (!endpoint.quietly(() -> endpoint.start(send))) {
            onSent();
        }
    }

    /** It is gone, or nothing reaches that rank any more. */
    private void onSent() {
        if (underWay.getAndDecrement() == MOST) {
            whenReady.run();
        }
    }

    @Override
    public void close() {
        boolean _ = endpoint.quietly(() -> endpoint.close(context));
    }

    @Override
    public boolean isMember(int number) {
        return number == before;
    }

    /** No collective call belongs to this context. */
    @Override
    public void onAbort(byte[] why) {}
}
