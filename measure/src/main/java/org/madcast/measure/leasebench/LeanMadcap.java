package org.madcast.measure.leasebench;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.madcap.Message;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;

/**
 * A socket that asks one server, one question after the other, directly or by a group of servers.
 * For one thread.
 */
final class LeanMadcap implements AutoCloseable {

    private static final int RETRY_MS = 1000;
    private static final int TRIES = 10;

    private final InetSocketAddress server;
    private final DatagramSocket socket;
    private final DatagramPacket in = new DatagramPacket(new byte[2048], 2048);

    /** Opens one, bound to an address of this host, or to the one that is nearest to the server. */
    LeanMadcap(InetSocketAddress server, @Nullable InetAddress own) throws IOException {
        this.server = server;
        InetAddress nearest = nearest(server);
        // Of the address's own family: of a socket for both, IPv4's interface is not chosen.
        DatagramChannel channel =
                DatagramChannel.open(
                        nearest instanceof Inet4Address
                                ? StandardProtocolFamily.INET
                                : StandardProtocolFamily.INET6);
        channel.bind(new InetSocketAddress(own == null ? nearest : own, 0));
        channel.setOption(
                StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(nearest));
        socket = channel.socket();
        socket.setSoTimeout(RETRY_MS);
    }

    private static InetAddress nearest(InetSocketAddress server) throws IOException {
        try (DatagramSocket way = new DatagramSocket()) {
            way.connect(server);
            return way.getLocalAddress();
        }
    }

    /** The server's answer. */
    Message ask(Message question) throws IOException {
        return ask(question, server.getAddress());
    }

    /** The server's answer; the question is sent again each second until it comes. */
    Message ask(Message question, InetAddress there) throws IOException {
        byte[] bytes = MadcapEncoder.encode(question);
        DatagramPacket out = new DatagramPacket(bytes, bytes.length, there, server.getPort());
        for (int i = 0; i < TRIES; i++) {
            socket.send(out);
            Message answer = answer(question);
            if (answer != null) {
                return answer;
            }
        }
        throw new CommandFailure(
                ExitCode.SERVICE,
                "no answer from %s to a %s in %d s; is MADCAP served there, and this network?"
                        .formatted(there.getHostAddress(), question.type(), TRIES));
    }

    private @Nullable Message answer(Message question) throws IOException {
        try {
            while (true) {
                in.setLength(2048);
                socket.receive(in);
                byte[] bytes = Arrays.copyOf(in.getData(), in.getLength());
                if (MadcapDecoder.decode(bytes) instanceof DecodeResult.Decoded(Message answer)
                        && answer.xid() == question.xid()) {
                    return answer;
                }
            }
        } catch (SocketTimeoutException silence) {
            return null;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
