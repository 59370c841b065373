package org.madcast.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;

/** A socket in a host that sends numbered datagrams and then tells that these were all. */
final class Talker implements AutoCloseable {
    private final DatagramChannel channel;
    private final InetSocketAddress to;

    Talker(LabHost host, InetAddress to) throws IOException {
        this.to = new InetSocketAddress(to, Listener.PORT);
        channel =
                host.call(() -> {
                    DatagramChannel opened = DatagramChannel.open(Listener.family(to));
                    opened.setOption(StandardSocketOptions.SO_SNDBUF, 64 * 1024);
                    opened.setOption(
                            StandardSocketOptions.IP_MULTICAST_IF,
                            NetworkInterface.getByName(host.interfaceName()));
                    return opened;
                });
    }

    void say(int count, int bytes) throws IOException {
        for (int number = 0; number < count; number++) {
            channel.send(ByteBuffer.allocate(bytes), to);
        }
    }

    /** Says that it was all until these have heard it. */
    void end(Listener... listeners) {
        byte[] last = {Listener.END};
        Await.until(
                "everybody hears the last datagram",
                () -> {
                    try {
                        channel.send(ByteBuffer.wrap(last), to);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return Arrays.stream(listeners).allMatch(Listener::ended);
                });
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
