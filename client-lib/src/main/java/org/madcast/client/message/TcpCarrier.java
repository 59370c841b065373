package org.madcast.client.message;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Frames over TCP, and through shared memory to ranks of this host. A connection is made when the
 * first frame for a rank is there, serves both directions, and proves by a {@link Handshake} that
 * both ends belong to the world. When two ranks connect to each other at the same time, the
 * connection of the lower rank stays.
 *
 * <p>Methods are called under the endpoint's lock, except {@link #select}.
 */
final class TcpCarrier implements Carrier {

    /** The first bytes of a connection that is for the relay of reports. */
    private static final int RELAY_MAGIC = 0x4d435231;

    private static final System.Logger LOG = System.getLogger(TcpCarrier.class.getName());
    private static final int SHARED_BYTES = 1 << 18;

    private final int self;
    private final List<InetSocketAddress> addresses;
    private final PeerSecret secret;
    private final ServerSocketChannel listener;
    private final Selector selector;
    private final BiConsumer<SocketChannel, ByteBuffer> relay;
    private final long handshakeNs;
    private final ByteBuffer in = ByteBuffer.allocateDirect(SHARED_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(SHARED_BYTES);
    private final Map<Integer, Peer> peers = new HashMap<>();
    private final Strangers strangers;
    private final SharedConnections shared;

    /** The connections that a long body is arriving on. */
    private final Set<Connection> arriving = new HashSet<>();

    private @Nullable Events events;
    private boolean changed;

    /**
     * A carrier that listens and has no connection yet.
     *
     * @param secret what its ranks prove to each other
     * @param relay takes connections that are meant for the relay of reports, with what was read
     * @param handshakeNs how long a rank may take to recognise this one, which has connected to it
     */
    TcpCarrier(
            MessageWorld world,
            PeerSecret secret,
            ServerSocketChannel listener,
            BiConsumer<SocketChannel, ByteBuffer> relay,
            long handshakeNs)
            throws IOException {
        this.self = world.self();
        this.addresses = world.addresses();
        this.secret = secret;
        this.listener = listener;
        this.relay = relay;
        this.handshakeNs = handshakeNs;
        this.strangers = new Strangers(handshakeNs);
        this.shared = new SharedConnections(world);
        this.selector = Selector.open();
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Says whom frames go to; before anything else. */
    void events(Events to) {
        events = to;
    }

    private Events events() {
        return Objects.requireNonNull(events, "the carrier has no engine yet");
    }

    @Override
    public void send(int rank, Frame frame) {
        if (rank == self) {
            events().onOwn(self, frame);
            return;
        }
        Peer peer = peer(rank);
        if (peer.lost) {
            return;
        }
        try {
            if (peer.connection != null) {
                peer.connection.send(frame, out);
                changed |= peer.connection.wantsWrite();
            } else {
                peer.waiting.add(frame);
                connect(rank, peer);
            }
        } catch (IOException broken) {
            lose(rank, broken);
        }
    }

    private Peer peer(int rank) {
        return peers.computeIfAbsent(rank, _ -> new Peer());
    }

    private void connect(int rank, Peer peer) throws IOException {
        if (peer.connecting != null) {
            return;
        }
        SocketChannel channel = SocketChannel.open();
        try {
            Long again = peer.againUntilNs;
            long untilNs = again == null ? System.nanoTime() + handshakeNs : again;
            PendingConnection pending = new PendingConnection(channel, selector, rank, untilNs);
            peer.connecting = pending;
            peer.againUntilNs = null;
            changed = true;
            peer.heardNs = System.nanoTime();
            pending.begin(Handshake.connecting(secret, self, rank));
            if (channel.connect(addresses.get(rank))) {
                pending.greet();
            }
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    /** How long nothing needs to be read, since long bodies are arriving, and nothing else is. */
    long gatherNs() {
        if (arriving.isEmpty()) {
            return 0; // mostly
        }
        long nowNs = System.nanoTime();
        return arriving.stream().mapToLong(it -> it.gatherNs(nowNs)).min().orElse(0);
    }

    /**
     * Waits until something can be done, for a {@link #wakeup}, or the time; without the lock.
     *
     * @param called whether a caller waits, rather than the endpoint's own thread
     */
    void select(long timeoutNs, boolean called) throws IOException {
        shared.select(selector, Math.max(1, timeoutNs / 1_000_000), called);
    }

    /** Looks whether something can be done, without waiting; without the lock. */
    boolean selectNow() throws IOException {
        return selector.selectNow() > 0 || shared.isReady();
    }

    /** Whether a {@link #select} that goes on waits for too little; false from then on. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    void wakeup() {
        shared.wakeup();
        selector.wakeup();
    }

    /** Does what the last {@link #select} found. Whether it was anything. */
    boolean turn() {
        boolean any = !selector.selectedKeys().isEmpty();
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid()) {
                onReady(key);
            }
        }
        selector.selectedKeys().clear();
        for (SharedConnection each : shared.all()) {
            any |= each.isReady() && turn(each);
        }
        return any;
    }

    private boolean turn(SharedConnection connection) {
        peer(connection.peer()).heardNs = System.nanoTime();
        try {
            return connection.turn();
        } catch (IOException broken) {
            lose(connection.peer(), broken);
            return true;
        }
    }

    private void onReady(SelectionKey key) {
        switch (key.attachment()) {
            case Integer rank -> onReady(rank, key);
            case PendingConnection pending -> {
                try {
                    onReady(pending);
                } catch (IOException broken) {
                    refuse(pending, broken);
                }
            }
            case null, default -> strangers.accept(listener, selector);
        }
    }

    private void onReady(int rank, SelectionKey key) {
        Peer peer = peer(rank);
        Connection connection = peer.connection;
        if (connection == null) {
            return;
        }
        try {
            if (key.isReadable()) {
                peer.heardNs = System.nanoTime();
                if (!connection.read(in)) {
                    lose(rank, "it has closed the connection, or was killed");
                    return;
                }
                if (connection.isLongBodyArriving()) {
                    arriving.add(connection);
                } else {
                    arriving.remove(connection);
                }
            }
            if (key.isValid() && key.isWritable()) {
                connection.flush(out);
            }
        } catch (IOException broken) {
            lose(rank, broken);
        }
    }

    private void onReady(PendingConnection pending) throws IOException {
        if (pending.key.isConnectable()) {
            pending.greet();
            return;
        }
        while (pending.isReadable()) {
            int count = pending.read();
            byte[] part = pending.part();
            if (pending.wanted == null && !pending.hasBegun() && pending.magic() == RELAY_MAGIC) {
                toRelay(pending);
            } else if (part != null) {
                onPart(pending, part);
            } else if (count == 0) {
                return;
            }
        }
    }

    private void toRelay(PendingConnection pending) {
        strangers.remove(pending);
        relay.accept(pending.channel, pending.release());
    }

    private void onPart(PendingConnection pending, byte[] part) throws IOException {
        if (pending.wanted != null && pending.offered() != null) {
            open(pending, pending.wanted, part[0] == 1);
        } else if (pending.wanted != null) {
            onReply(pending, pending.wanted, part);
        } else if (!pending.hasBegun()) {
            onHello(pending, part);
        } else if (pending.handshake().isProof(part)) {
            open(pending, pending.handshake().from(), Handshake.offers(part));
        } else {
            throw new IOException("a peer without the job's secret");
        }
    }

    private void onHello(PendingConnection pending, byte[] hello) throws IOException {
        Handshake handshake = Handshake.accepting(secret, self, addresses.size(), hello);
        if (handshake == null) {
            throw new IOException("not of this job");
        }
        int from = handshake.from();
        Peer peer = peer(from);
        boolean busy = peer.connection != null || (peer.connecting != null && self < from);
        peer.saidVersion = handshake.version();
        pending.write(handshake.reply(busy));
        if (busy || peer.saidVersion != Handshake.VERSION) {
            throw new IOException(busy ? "connecting to it already" : "of another version");
        }
        pending.begin(handshake);
    }

    private void onReply(PendingConnection pending, int rank, byte[] reply) throws IOException {
        Integer status = pending.handshake().onReply(reply);
        if (status == null) {
            throw new IOException("another program, or another job, answers at its address");
        }
        if (status == Handshake.BUSY) {
            // The other rank's own connection is on its way, and what waits goes there.
            pending.close();
            peer(rank).connecting = null;
            return;
        }
        // The higher rank may use its own connection already, which was accepted here.
        if (self < rank && strangers.hasAccepted(rank)) {
            pending.pause();
        } else {
            prove(pending, rank);
        }
    }

    private void prove(PendingConnection pending, int rank) {
        try {
            pending.prove(shared.offer(addresses.get(rank), pending.handshake()));
            if (pending.offered() == null) {
                open(pending, rank, false);
            }
        } catch (IOException broken) {
            refuse(pending, broken);
        }
    }

    /** Opens a connection whose ends have recognised each other, over the memory if it shares. */
    private void open(PendingConnection pending, int rank, boolean shares) throws IOException {
        strangers.remove(pending);
        Peer peer = peer(rank);
        if (peer.connection != null || peer.lost) {
            pending.close();
            return;
        }
        if (pending.wanted == null && peer.connecting != null) {
            peer.connecting.close(); // the lower rank's connection stays
        }
        peer.connecting = null;
        pending.key.attach(rank);
        peer.key = pending.key;
        peer.heardNs = System.nanoTime();
        SharedMemory memory = pending.memory(shares, shared.accepts());
        Connection connection =
                memory == null
                        ? SocketConnection.of(pending, rank, events(), secret.seals())
                        : shared.add(pending, rank, events(), memory);
        peer.connection = connection;
        try {
            for (Frame each = peer.waiting.poll(); each != null; each = peer.waiting.poll()) {
                connection.send(each, out);
            }
        } catch (IOException broken) {
            lose(rank, broken);
        }
    }

    private void refuse(PendingConnection pending, IOException reason) {
        LOG.log(Level.DEBUG, "rank {0}: a connection was refused: {1}", self, reason.getMessage());
        strangers.remove(pending);
        pending.close();
        if (pending.wanted != null && peer(pending.wanted).connecting == pending) {
            peer(pending.wanted).connecting = null;
            if (reason instanceof PendingConnection.ClosedEarly
                    && pending.deadlineNs() - System.nanoTime() > 0) {
                // Strangers crowd it out there. A rank that has ended refuses the next one.
                peer(pending.wanted).againUntilNs = pending.deadlineNs();
                return;
            }
            lose(pending.wanted, peer(pending.wanted).explain(reason));
        }
    }

    private void lose(int rank, IOException broken) {
        lose(rank, "the connection to it broke: " + broken.getMessage());
    }

    /** Gives a rank up: nothing more comes from it or goes to it. */
    void lose(int rank, String reason) {
        Peer peer = peer(rank);
        if (peer.lost || rank == self) {
            return;
        }
        arriving.remove(peer.connection);
        if (peer.connection instanceof SharedConnection gone) {
            shared.remove(gone);
        }
        peer.close();
        events().onLost(rank, reason);
    }

    /** Ends handshakes that take too long, without the time in which this process was stopped. */
    void onTime(long nowNs, long stoppedNs) {
        strangers.extend(stoppedNs);
        peers.values().forEach(peer -> peer.extend(stoppedNs));
        strangers
                .late(nowNs)
                .forEach(each -> refuse(each, new IOException("it said nothing in time")));
        Map.copyOf(peers)
                .forEach((rank, peer) -> {
                    if (peer.connecting != null) {
                        onTime(nowNs, peer.connecting, rank);
                    } else if (peer.againUntilNs != null && peer.connection == null) {
                        connectAgain(rank, peer);
                    }
                });
    }

    private void connectAgain(int rank, Peer peer) {
        try {
            connect(rank, peer);
        } catch (IOException refused) {
            lose(rank, refused);
        }
    }

    private void onTime(long nowNs, PendingConnection connecting, int rank) {
        long restNs = connecting.deadlineNs() - nowNs;
        boolean longPaused = restNs < handshakeNs - strangers.patienceNs() / 2;
        if (connecting.isPaused() && (longPaused || !strangers.hasAccepted(rank))) {
            prove(connecting, rank); // who says that it is that rank proves nothing
        } else if (restNs < 0) {
            refuse(connecting, new IOException("TCP to " + target(rank) + " gets no answer"));
        }
    }

    private String target(int rank) {
        InetSocketAddress address = addresses.get(rank);
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** When something was heard from a rank last, or its connection begun; null before that. */
    @Nullable Long heardNs(int rank) {
        Peer peer = peers.get(rank);
        return peer == null || peer.heardNs == 0 ? null : peer.heardNs;
    }

    /** Tells every connected rank that nothing follows. */
    void leave() {
        Set.copyOf(peers.keySet()).forEach(rank -> leave(rank, FrameHeader.CLOSED));
    }

    private void leave(int rank, int why) {
        if (peer(rank).connection != null) {
            FrameHeader leave = FrameHeader.bare(FrameHeader.Type.LEAVE, why);
            send(rank, new Frame(leave, MemorySegment.NULL, this));
        }
    }

    /** Gives a rank up that may live, and tells it so. */
    void giveUp(int rank, String reason) {
        leave(rank, FrameHeader.GIVEN_UP);
        lose(rank, reason);
    }

    /**
     * Ends this rank's direction of all connections. The other direction is read until its end:
     * closing a socket with unread bytes would make the kernel drop what the peer has not read.
     */
    void endOutput() {
        Map.copyOf(peers)
                .forEach((rank, peer) -> {
                    try {
                        peer.endOutput();
                    } catch (IOException broken) {
                        lose(rank, broken);
                    }
                });
    }

    /** Whether no connection is left. */
    boolean isDisconnected() {
        return peers.values().stream().allMatch(Peer::isDisconnected);
    }

    /** Closes everything. */
    void close() {
        peers.values().forEach(Peer::close);
        strangers.close();
        try {
            listener.close();
            selector.close();
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "closing the listener", alreadyGone);
        }
    }

    /** Whether everything that was queued for a rank is in the kernel's hands. */
    boolean isIdle(int rank) {
        Peer peer = peers.get(rank);
        return peer == null || peer.isIdle();
    }
}
