package org.madcast.benchmarks.compare;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.SenderPos;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;
import org.madcast.measure.bench.BenchRank;
import org.madcast.measure.bench.BroadcastSystem;

/**
 * A rank of Aeron. Messages go as a stream of fragments, each as large as a datagram can carry, and
 * are copied from there to where they belong: Aeron delivers in order, so nothing else is needed.
 *
 * <p>With an invoked driver somebody must drive it between the calls too: a thread does, whenever
 * no call does.
 */
final class AeronRank implements BroadcastSystem {

    private static final String ENDPOINT = "239.255.78.77:40777";
    private static final int STREAM = 1001;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long BETWEEN_CALLS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The property that says where the drivers' directories are. */
    static final String DIRECTORY = "madcast.aeron.directory";

    private final MediaDriver driver;
    private final Aeron aeron;
    private final IdleStrategy idle;
    private final boolean invoked;
    private final ReentrantLock driving = new ReentrantLock();
    private final UnsafeBuffer outgoing = new UnsafeBuffer(0, 0);
    private @Nullable ExclusivePublication publication;
    private @Nullable Subscription subscription;
    private volatile boolean closed;
    private MemorySegment incoming = MemorySegment.NULL;
    private long arrivedBytes;
    private final FragmentHandler handler = this::onFragment;

    private AeronRank(AeronSetup setup, RankPlace place) throws IOException {
        String directory = System.getProperty(DIRECTORY) + "/" + ProcessHandle.current().pid();
        invoked = setup.isInvoked();
        idle = setup.idle();
        driver = setup.driver(directory);
        aeron = setup.client(driver);
        if (invoked) {
            Thread.ofPlatform().daemon().name("driver").start(this::driveBetweenCalls);
        }
        driving.lock();
        try {
            meet(place);
        } finally {
            driving.unlock();
        }
    }

    /** Takes part; the arguments are those of {@link BenchRank#run}. */
    public static void main(String[] arguments) {
        BenchRank.run(
                arguments,
                algorithms ->
                        new AeronRank(
                                AeronSetup.parse(algorithms.getFirst()),
                                RankPlace.ofThisProcess()));
    }

    /** The publication counts as connected when all receivers are there. */
    private void meet(RankPlace place) throws IOException {
        String channel =
                "aeron:udp?endpoint=" + ENDPOINT + "|interface=" + place.address().getHostAddress();
        BooleanSupplier met;
        if (place.isRoot()) {
            String control = "|fc=min,g:/" + (place.size() - 1) + ",t:60s";
            ExclusivePublication added = aeron.addExclusivePublication(channel + control, STREAM);
            publication = added;
            met = added::isConnected;
        } else {
            Subscription added = aeron.addSubscription(channel, STREAM);
            subscription = added;
            met = added::isConnected;
        }
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!met.getAsBoolean()) {
            idle.idle(drive());
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("not everybody came");
            }
        }
    }

    private void driveBetweenCalls() {
        while (!closed) {
            if (driving.tryLock()) {
                try {
                    drive();
                } finally {
                    driving.unlock();
                }
            }
            LockSupport.parkNanos(BETWEEN_CALLS_NS);
        }
    }

    /** Lets an invoked driver work; returns how much it did. */
    private int drive() {
        return invoked
                ? driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke()
                : 0;
    }

    @Override
    public void broadcast(String algorithm, MemorySegment message) throws IOException {
        driving.lock();
        try {
            if (publication != null) {
                send(publication, message);
            } else if (subscription != null) {
                receive(subscription, message);
            }
        } finally {
            driving.unlock();
        }
    }

    private void send(ExclusivePublication to, MemorySegment message) throws IOException {
        outgoing.wrap(message.asByteBuffer());
        int offset = 0;
        while (offset < message.byteSize()) {
            int bytes = (int) Math.min(to.maxPayloadLength(), message.byteSize() - offset);
            long position = to.offer(outgoing, offset, bytes);
            if (position > 0) {
                offset += bytes;
            } else if (position == Publication.CLOSED
                    || position == Publication.MAX_POSITION_EXCEEDED) {
                throw new IOException("Aeron's publication ended: " + position);
            }
            idle.idle(drive() + (position > 0 ? 1 : 0));
        }
        if (invoked) {
            awaitSent(to);
        }
    }

    /** Nobody else would send what is left once the call is over. */
    private void awaitSent(ExclusivePublication to) {
        CountersReader counters = aeron.countersReader();
        int sent =
                counters.findByTypeIdAndRegistrationId(
                        SenderPos.SENDER_POSITION_TYPE_ID, to.registrationId());
        while (counters.getCounterValue(sent) < to.position()) {
            idle.idle(drive());
        }
    }

    private void receive(Subscription from, MemorySegment message) {
        incoming = message;
        arrivedBytes = 0;
        int fragmentBytes = datagramBytes() - DataHeaderFlyweight.HEADER_LENGTH;
        while (arrivedBytes < message.byteSize()) {
            long left = message.byteSize() - arrivedBytes;
            // Not more, lest the next message's first fragments came with this one's last.
            int fragments = Math.toIntExact((left + fragmentBytes - 1) / fragmentBytes);
            idle.idle(from.poll(handler, fragments) + drive());
        }
    }

    private void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        incoming.asSlice(arrivedBytes, length)
                .asByteBuffer()
                .put(buffer.byteBuffer().slice(offset, length));
        arrivedBytes += length;
    }

    @Override
    public int datagramBytes() {
        return driver.context().mtuLength();
    }

    @Override
    public void close() {
        closed = true;
        driving.lock();
        try {
            aeron.close();
            driver.close();
        } finally {
            driving.unlock();
        }
    }
}
