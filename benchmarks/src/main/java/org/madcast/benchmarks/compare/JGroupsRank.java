package org.madcast.benchmarks.compare;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.TP;
import org.madcast.agent.terminal.Units;
import org.madcast.measure.bench.BenchRank;
import org.madcast.measure.bench.BroadcastSystem;

/**
 * A rank of JGroups: a member of a group of all ranks. The channel hands each message over to the
 * thread that waits for it.
 */
final class JGroupsRank implements BroadcastSystem, Receiver {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int DATAGRAM_BYTES = 1472;

    private final LinkedBlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
    private final JChannel channel;
    private final boolean root;

    private JGroupsRank(String configuration, RankPlace place) throws IOException {
        root = place.isRoot();
        if (!root) {
            // One after the other, lest several groups form that would have to merge.
            place.awaitRoot();
        }
        try {
            channel = new JChannel("udp.xml");
            TP transport = channel.getProtocolStack().getTransport();
            transport.setBindAddress(place.address());
            configure(configuration, transport);
            channel.setReceiver(this).connect("madcast-compare");
            if (root) {
                place.open();
            }
            awaitAll(place.size());
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // which is what JGroups declares
            throw new IOException("JGroups: " + e, e);
        }
    }

    private void configure(String configuration, TP transport) {
        if (configuration.equals("default")) {
            return;
        }
        String[] parts = configuration.split("/", 2);
        transport.setBundlerType(parts[0]);
        FRAG2 fragmentation = channel.getProtocolStack().findProtocol(FRAG2.class);
        fragmentation.setFragSize((int) Units.sizeBytes(parts[1]));
    }

    private void awaitAll(int size) throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (channel.getView().size() < size) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("the group has " + channel.getView().size() + " members");
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** Takes part; the arguments are those of {@link BenchRank#run}. */
    public static void main(String[] arguments) {
        BenchRank.run(
                arguments,
                algorithms -> new JGroupsRank(algorithms.getFirst(), RankPlace.ofThisProcess()));
    }

    @Override
    public void broadcast(String algorithm, MemorySegment message) throws IOException {
        try {
            if (root) {
                send(message);
            } else {
                receive(message);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void send(MemorySegment message) throws IOException {
        Message whole = new BytesMessage(null, message.toArray(ValueLayout.JAVA_BYTE));
        whole.setFlag(Message.TransientFlag.DONT_LOOPBACK);
        try {
            channel.send(whole);
        } catch (Exception e) { // which is what JGroups declares
            throw new IOException("JGroups: " + e, e);
        }
    }

    private void receive(MemorySegment message) throws InterruptedException {
        Message whole = arrived.take();
        MemorySegment bytes =
                MemorySegment.ofArray(whole.getArray())
                        .asSlice(whole.getOffset(), whole.getLength());
        message.copyFrom(bytes);
    }

    @Override
    public void receive(Message message) {
        arrived.add(message);
    }

    @Override
    public int datagramBytes() {
        return DATAGRAM_BYTES;
    }

    @Override
    public void close() {
        channel.close();
    }
}
