package org.madcast.madcap.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.madcast.madcap.Message;
import org.madcast.madcap.Octets;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;

/** Drives an exchange in virtual time, which starts near the wrap of the clock. */
final class VirtualDriver {

    /** One datagram that the exchange sent. */
    record Sent(long atMillis, ServerEndpoint to, Octets bytes) {
        Message message() {
            DecodeResult result = MadcapDecoder.decode(bytes.toByteArray());
            return ((DecodeResult.Decoded) result).message();
        }
    }

    private static final long START_NS = Long.MAX_VALUE - 5_000_000_000L;

    final List<Sent> sent = new ArrayList<>();
    final ClientExchange exchange;
    private long nowNs = START_NS;

    VirtualDriver(Message request, List<ServerEndpoint> servers, ExchangeSettings settings) {
        exchange = new ClientExchange(request, servers, settings, nowNs);
        poll();
    }

    VirtualDriver(Message request, ServerEndpoint... servers) {
        this(request, List.of(servers), ExchangeSettings.DEFAULT);
    }

    /** Lets time pass to this many seconds after the start, polling at each deadline. */
    void runTo(double seconds) {
        long targetNs = START_NS + Math.round(seconds * 1e9);
        while (!exchange.isEnded() && exchange.nextDeadlineNs() - targetNs <= 0) {
            nowNs = exchange.nextDeadlineNs();
            poll();
        }
        nowNs = targetNs;
        poll();
    }

    /** Jumps, as a driver does that was kept from running. */
    void sleepTo(double seconds) {
        nowNs = START_NS + Math.round(seconds * 1e9);
        poll();
    }

    void deliver(Message message) {
        deliver(MadcapEncoder.encode(message));
    }

    void deliver(byte[] bytes) {
        exchange.onDatagram(nowNs, ByteBuffer.wrap(bytes));
        poll();
    }

    List<Long> sentSeconds() {
        return sent.stream().map(datagram -> datagram.atMillis / 1000).toList();
    }

    Message lastMessage() {
        return sent.getLast().message();
    }

    /** All events so far that are not retransmissions. */
    List<ExchangeEvent> events() {
        List<ExchangeEvent> events = new ArrayList<>();
        ExchangeEvent event = exchange.pollEvent();
        while (event != null) {
            if (!(event instanceof ExchangeEvent.Retransmitted)) {
                events.add(event);
            }
            event = exchange.pollEvent();
        }
        return events;
    }

    long ignored(Ignored reason) {
        return Objects.requireNonNullElse(exchange.ignored().get(reason), 0L);
    }

    private void poll() {
        ByteBuffer out = ByteBuffer.allocate(2048);
        while (exchange.pollTransmit(nowNs, out) > 0) {
            byte[] bytes = new byte[out.flip().remaining()];
            out.get(bytes);
            out.clear();
            long atMillis = (nowNs - START_NS) / 1_000_000;
            sent.add(new Sent(atMillis, exchange.destination(), Octets.of(bytes)));
        }
    }
}
