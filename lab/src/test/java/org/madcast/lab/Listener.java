package org.madcast.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** A socket in a host that counts what arrives before the datagram that says it was the last. */
final class Listener implements AutoCloseable {
    static final int PORT = 5077;
    static final byte END = 1;

    private final DatagramChannel channel;
    private final AtomicInteger heard = new AtomicInteger();
    private volatile boolean ended;

    private Listener(DatagramChannel channel) {
        this.channel = channel;
        Thread.ofPlatform().daemon().name("listener").start(this::listen);
    }

    /** Joins, and waits until the switches know it: a report leaves some milliseconds later. */
    static Listener joined(Lab lab, int index, InetAddress group) throws IOException {
        LabHost host = lab.host(index);
        Listener listener =
                new Listener(
                        host.call(() -> {
                            DatagramChannel channel = bound(family(group));
                            channel.join(group, NetworkInterface.getByName(host.interfaceName()));
                            return channel;
                        }));
        Await.until(
                "the switches know that host " + index + " joined",
                () -> lab.groups().getOrDefault(group, new TreeSet<>()).contains(index));
        return listener;
    }

    static Listener notJoined(LabHost host) throws IOException {
        return new Listener(host.call(() -> bound(StandardProtocolFamily.INET)));
    }

    int heard() {
        return heard.get();
    }

    boolean ended() {
        return ended;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    static ProtocolFamily family(InetAddress address) {
        return address.getAddress().length == 4
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6;
    }

    private static DatagramChannel bound(ProtocolFamily family) throws IOException {
        DatagramChannel channel = DatagramChannel.open(family);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
        return channel.bind(new InetSocketAddress(PORT));
    }

    private void listen() {
        ByteBuffer datagram = ByteBuffer.allocate(2048);
        try {
            while (true) {
                channel.receive(datagram.clear());
                if (datagram.get(0) == END) {
                    ended = true;
                } else if (!ended) {
                    heard.incrementAndGet();
                }
            }
        } catch (ClosedChannelException e) {
            // The test is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
