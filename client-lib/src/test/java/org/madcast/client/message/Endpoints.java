package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.JobKey;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;

/** The endpoints of several ranks in this process, over loopback. */
final class Endpoints implements AutoCloseable {

    static final long CONTEXT = 77;
    static final long TOKEN = 4711;

    final List<MessageEndpoint> ranks = new ArrayList<>();
    final List<InetSocketAddress> addresses = new ArrayList<>();
    final List<String> relayed = new ArrayList<>();

    Endpoints(int size, @Nullable JobKey key, Duration deathTimeout, boolean shared)
            throws IOException {
        List<ServerSocketChannel> listeners = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listeners.add(listener);
            addresses.add((InetSocketAddress) listener.getLocalAddress());
        }
        for (int rank = 0; rank < size; rank++) {
            MessageEndpoint endpoint =
                    new MessageEndpoint(
                            new MessageWorld(rank, addresses, TOKEN, key, shared, 100_000),
                            listeners.get(rank),
                            (channel, first) -> {
                                synchronized (relayed) {
                                    relayed.add(first.remaining() + " bytes");
                                }
                                try {
                                    channel.close();
                                } catch (IOException gone) {
                                    throw new UncheckedIOException(gone);
                                }
                            },
                            deathTimeout.toNanos());
            endpoint.open(new MessageSimulationTest.Everybody(), CONTEXT);
            ranks.add(endpoint);
        }
    }

    /** Ends a rank; a test listens in its place. */
    ServerSocket replaceByTest(int rank) throws IOException {
        ranks.get(rank).close();
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(addresses.get(rank));
        return listener;
    }

    /** Connects to rank 0 as rank 1, and is accepted; the proof is the caller's. */
    Handshake connectAsRankOne(Socket own) throws IOException {
        own.connect(addresses.getFirst());
        Handshake mine = Handshake.connecting(PeerSecret.of(null, TOKEN), 1, 0);
        own.getOutputStream().write(mine.hello());
        byte[] reply = own.getInputStream().readNBytes(Handshake.REPLY_BYTES);
        assertThat(mine.onReply(reply)).isZero();
        return mine;
    }

    Send send(int from, int to, int tag, byte[] bytes) {
        Send send = new Send(CONTEXT, to, tag, 0, MemorySegment.ofArray(bytes), false, () -> {});
        ranks.get(from).start(send);
        return send;
    }

    Receive receive(int rank, int source, int tag, byte[] buffer) {
        Receive receive =
                new Receive(CONTEXT, source, tag, 0, MemorySegment.ofArray(buffer), null, () -> {});
        ranks.get(rank).start(receive);
        return receive;
    }

    /** Waits on a rank until the transfer is done. */
    @Nullable Outcome await(int rank, Transfer transfer) {
        ranks.get(rank).await(() -> transfer.outcome() != null, Duration.ofSeconds(60).toNanos());
        return transfer.outcome();
    }

    @Override
    public void close() {
        ranks.forEach(MessageEndpoint::close);
    }
}
