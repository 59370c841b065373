package org.madcast.allocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.client.ClientExchange;
import org.madcast.madcap.client.ExchangeEvent;
import org.madcast.madcap.client.ExchangeSettings;
import org.madcast.madcap.client.OfferChoice;
import org.madcast.madcap.client.RetransmissionSchedule;
import org.madcast.madcap.client.ServerEndpoint;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;

/** An RFC 2730 client on a real socket of the loopback interface; one thread at a time. */
final class MadcapClient implements AutoCloseable {

    static final NetAddress LOOPBACK = NetAddress.parse("127.0.0.1");

    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Four times as quick as RFC 2730 has it: until it sends again, a client gathers what servers
     * tell of their scopes. And for a quick answer's sake not waiting for better offers.
     */
    private static final ExchangeSettings SETTINGS =
            new ExchangeSettings(
                    new RetransmissionSchedule(
                            List.of(
                                    Duration.ofSeconds(1),
                                    Duration.ofSeconds(3),
                                    Duration.ofSeconds(7)),
                            Duration.ofSeconds(60)),
                    OfferChoice.FIRST,
                    Duration.ofSeconds(1));

    private final DatagramChannel channel;
    private final Selector selector;
    private final int serverPort;

    MadcapClient(int serverPort) {
        try {
            this.serverPort = serverPort;
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
            channel.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF,
                    NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1")));
            channel.configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static LeaseId newLeaseId() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return LeaseId.random(random);
    }

    static Message message(MessageType type, LeaseId leaseId, Option... options) {
        return Message.of(type, AddressFamily.IPV4, RANDOM.nextInt(), leaseId, options);
    }

    /** Runs an exchange with the server's unicast address to its end. */
    ExchangeEvent.Outcome ask(Message request) {
        return run(request, LOOPBACK);
    }

    /** Runs an exchange with a group of servers to its end. */
    ExchangeEvent.Outcome askGroup(Message request, String group) {
        return run(request, NetAddress.parse(group));
    }

    /** Sends bytes to an address and waits for one answer, null when none comes in time. */
    @Nullable Message send(byte[] bytes, String address, Duration atMost) {
        try {
            discardReceived();
            channel.send(
                    ByteBuffer.wrap(bytes),
                    new InetSocketAddress(InetAddress.ofLiteral(address), serverPort));
            ByteBuffer in = receive(atMost);
            return in != null && MadcapDecoder.decode(in) instanceof DecodeResult.Decoded decoded
                    ? decoded.message()
                    : null;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Nullable Message send(Message message, String address, Duration atMost) {
        return send(MadcapEncoder.encode(message), address, atMost);
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private ExchangeEvent.Outcome run(Message request, NetAddress server) {
        try {
            ClientExchange exchange =
                    new ClientExchange(
                            request,
                            List.of(new ServerEndpoint(server, serverPort)),
                            SETTINGS,
                            System.nanoTime());
            return run(exchange);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private ExchangeEvent.Outcome run(ClientExchange exchange) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(2048);
        while (true) {
            if (exchange.pollTransmit(System.nanoTime(), out.clear()) > 0) {
                ServerEndpoint to = exchange.destination();
                channel.send(
                        out.flip(),
                        new InetSocketAddress(
                                InetAddress.ofLiteral(to.address().toString()), to.port()));
            }
            for (ExchangeEvent event = exchange.pollEvent();
                    event != null;
                    event = exchange.pollEvent()) {
                if (event instanceof ExchangeEvent.Outcome outcome) {
                    return outcome;
                }
            }
            long waitNs = Math.max(0, exchange.nextDeadlineNs() - System.nanoTime());
            ByteBuffer in = receive(Duration.ofNanos(waitNs));
            if (in != null) {
                exchange.onDatagram(System.nanoTime(), in);
            }
        }
    }

    private void discardReceived() throws IOException {
        while (receive(Duration.ZERO) != null) {
            // An answer to something earlier.
        }
    }

    private @Nullable ByteBuffer receive(Duration atMost) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(65_535);
        if (channel.receive(in) != null) {
            return in.flip();
        }
        long waitMillis = atMost.toMillis();
        if (waitMillis > 0) {
            selector.select(waitMillis);
            selector.selectedKeys().clear();
            return channel.receive(in) != null ? in.flip() : null;
        }
        return null;
    }
}
