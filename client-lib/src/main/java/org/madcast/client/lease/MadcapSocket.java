package org.madcast.client.lease;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.Message;
import org.madcast.madcap.client.ClientExchange;
import org.madcast.madcap.client.ExchangeEvent;
import org.madcast.madcap.client.ExchangeSettings;
import org.madcast.madcap.client.OfferChoice;
import org.madcast.madcap.client.RetransmissionSchedule;
import org.madcast.madcap.client.ServerEndpoint;
import org.madcast.madcap.codec.MadcapEncoder;

/** Drives exchanges with RFC 2730 servers on one UDP socket. For one thread at a time. */
final class MadcapSocket implements AutoCloseable {

    /** The farthest that requests to the IPv4 Local Scope's servers go (RFC 2730, section 2.10). */
    private static final int LOCAL_SCOPE_TTL = 16;

    private static final int MOST_BYTES = 65_535;

    private final DatagramSocket socket;
    private final byte[] in = new byte[MOST_BYTES];

    /**
     * Opens.
     *
     * @param multicastInterface where requests to groups leave, null for the system's choice
     */
    MadcapSocket(@Nullable NetworkInterface multicastInterface) throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0));
        boolean ready = false;
        try {
            socket.setOption(StandardSocketOptions.IP_MULTICAST_TTL, LOCAL_SCOPE_TTL);
            if (multicastInterface != null) {
                socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, multicastInterface);
            }
            ready = true;
        } finally {
            if (!ready) {
                socket.close();
            }
        }
    }

    /**
     * Asks until there is an outcome or the time is over.
     *
     * @param retransmissions when to send again
     * @param most how long all of it may take
     * @param onEvent called with what happens before the outcome
     * @return the outcome; {@link ExchangeEvent.NoResponse} also when the time is over
     */
    ExchangeEvent.Outcome ask(
            Message request,
            ServerEndpoint server,
            List<Duration> retransmissions,
            Duration most,
            Consumer<ExchangeEvent> onEvent)
            throws IOException {
        ExchangeSettings settings =
                new ExchangeSettings(
                        new RetransmissionSchedule(retransmissions, most),
                        OfferChoice.FIRST,
                        Duration.ofSeconds(1));
        long startNs = System.nanoTime();
        ClientExchange exchange = new ClientExchange(request, List.of(server), settings, startNs);
        long endNs = startNs + most.toNanos();
        byte[] out = new byte[MOST_BYTES];
        while (true) {
            int bytes = exchange.pollTransmit(System.nanoTime(), ByteBuffer.wrap(out));
            if (bytes > 0) {
                send(out, bytes, exchange.destination());
            }
            ExchangeEvent event = exchange.pollEvent();
            if (event instanceof ExchangeEvent.Outcome outcome) {
                return outcome;
            }
            if (event != null) {
                onEvent.accept(event);
                continue;
            }
            long nowNs = System.nanoTime();
            long waitNs = Math.min(exchange.nextDeadlineNs() - nowNs, endNs - nowNs);
            if (endNs - nowNs <= 0) {
                exchange.abandon();
                return new ExchangeEvent.NoResponse();
            }
            ByteBuffer received = receive(waitNs);
            if (received != null) {
                exchange.onDatagram(System.nanoTime(), received);
            }
        }
    }

    /** Sends once and waits for nothing. */
    void tell(Message message, ServerEndpoint server) throws IOException {
        byte[] bytes = MadcapEncoder.encode(message);
        send(bytes, bytes.length, server);
    }

    private void send(byte[] bytes, int length, ServerEndpoint server) throws IOException {
        InetAddress address = InetAddress.ofLiteral(server.address().toString());
        socket.send(
                new DatagramPacket(bytes, length, new InetSocketAddress(address, server.port())));
    }

    /** The next datagram, null when none comes in time. */
    private @Nullable ByteBuffer receive(long waitNs) throws IOException {
        if (waitNs <= 0) {
            return null;
        }
        try {
            socket.setSoTimeout((int) Math.max(1, Duration.ofNanos(waitNs).toMillis()));
            DatagramPacket packet = new DatagramPacket(in, in.length);
            socket.receive(packet);
            return ByteBuffer.wrap(in, 0, packet.getLength());
        } catch (SocketTimeoutException timeIsUp) {
            return null;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
