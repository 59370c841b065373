package org.madcast.client.lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;
import org.madcast.madcap.server.Replies;

/**
 * An RFC 2730 server of one address, on loopback and, when it is told to, in the Local Scope's
 * group of servers. A script decides what becomes of each answer.
 */
final class MiniMadcapServer implements AutoCloseable {

    static final NetAddress ADDRESS = NetAddress.parse("239.255.7.7");

    private static final NetAddress SELF = NetAddress.parse("127.0.0.1");
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.255.255.254");

    /** Every request that came. */
    final BlockingQueue<Message> requests = new LinkedBlockingQueue<>();

    private final DatagramSocket socket;
    private final Replies replies = new Replies(SELF, Set.of());
    private final Answering answering;

    /** What the server says. */
    interface Answering {
        /** The reply to send, null for none; the proposed one is what a willing server says. */
        @Nullable Message answer(Message request, Message proposed);
    }

    private MiniMadcapServer(DatagramSocket socket, Answering answering) {
        this.socket = socket;
        this.answering = answering;
        Thread.ofPlatform().daemon().name("mini-madcap").start(this::serve);
    }

    static MiniMadcapServer unicast(Answering answering) throws IOException {
        return new MiniMadcapServer(
                new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0)),
                answering);
    }

    /** One that hears what is sent to the Local Scope's servers, and to itself, at a free port. */
    static MiniMadcapServer inGroup(Answering answering) throws IOException {
        MulticastSocket socket = new MulticastSocket(0);
        socket.joinGroup(
                new InetSocketAddress(GROUP, 0),
                NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1")));
        return new MiniMadcapServer(socket, answering);
    }

    /** Grants what is asked for. */
    static Answering willing() {
        return (_, proposed) -> proposed;
    }

    /** Changes the replies to one type of requests. */
    static Answering changing(MessageType type, UnaryOperator<@Nullable Message> change) {
        return (request, proposed) -> request.type() == type ? change.apply(proposed) : proposed;
    }

    /** The same request refused. */
    Message nak(Message request, MadcapError error) {
        return replies.nak(request, error);
    }

    int port() {
        return socket.getLocalPort();
    }

    String unicastName() {
        return "127.0.0.1:" + port();
    }

    String groupName() {
        return GROUP.getHostAddress() + ":" + port();
    }

    List<MessageType> types() {
        return requests.stream().map(Message::type).toList();
    }

    @Override
    public void close() {
        socket.close();
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        try {
            while (true) {
                packet.setLength(2048);
                socket.receive(packet);
                onDatagram(packet);
            }
        } catch (SocketException closed) {
            requests.clear();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void onDatagram(DatagramPacket packet) throws IOException {
        byte[] bytes = Arrays.copyOf(packet.getData(), packet.getLength());
        if (!(MadcapDecoder.decode(bytes) instanceof DecodeResult.Decoded(Message request))) {
            return;
        }
        requests.add(request);
        Message reply = answering.answer(request, proposed(request));
        if (reply != null) {
            byte[] out = MadcapEncoder.encode(reply);
            socket.send(new DatagramPacket(out, out.length, packet.getSocketAddress()));
        }
    }

    private Message proposed(Message request) {
        if (request.type() == MessageType.RELEASE) {
            return replies.reply(MessageType.ACK, request, Set.of());
        }
        Option.LeaseTime wanted = request.find(Option.LeaseTime.class);
        return replies.reply(
                request.type() == MessageType.DISCOVER ? MessageType.OFFER : MessageType.ACK,
                request,
                Set.of(),
                wanted == null ? new Option.LeaseTime(60) : wanted,
                new Option.MulticastScope(NetAddress.parse("239.255.0.0")),
                new Option.AddressRangeList(List.of(AddressRange.single(ADDRESS))));
    }
}
