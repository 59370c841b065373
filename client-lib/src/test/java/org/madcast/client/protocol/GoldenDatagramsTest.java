package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramCheck;
import org.madcast.client.wire.DatagramType;

/** What engines of 6 ranks send, byte for byte as the files under {@code golden} say. */
class GoldenDatagramsTest {

    private static final int ONCE = Algorithm.ONCE.code();
    private static final int NEVER_A_RANK_OF_THESE = 5;

    private final BroadcastEngine zero = Engines.of(0, 6);
    private final BroadcastEngine root = Engines.of(2, 6);
    private final BroadcastEngine receiver = Engines.of(3, 6);

    @ParameterizedTest
    @EnumSource(DatagramType.class)
    void everyTypeIsWrittenAsTheGoldenFileSays(DatagramType type) throws IOException {
        byte[] written = written(type).bytes();
        assertThat(HexFormat.of().formatHex(written)).isEqualTo(golden(type));
    }

    @ParameterizedTest
    @EnumSource(DatagramType.class)
    void everyGoldenDatagramIsBelieved(DatagramType type) throws IOException {
        byte[] datagram = HexFormat.of().parseHex(golden(type));
        DatagramCheck check =
                new DatagramCheck(
                        Engines.TOKEN,
                        NEVER_A_RANK_OF_THESE,
                        6,
                        Engines.DATAGRAM_BYTES,
                        true,
                        new Checksum());
        assertThat(check.reject(Datagram.of(MemorySegment.ofArray(datagram)))).isNull();
    }

    private Sent written(DatagramType type) {
        return switch (type) {
            case DATA -> twoBroadcasts().get(2);
            case REPAIR -> repair();
            case GROUP_REPAIR -> groupRepair();
            case REPAIR_REQUEST -> repairRequest();
            case HAVE -> have();
            case PROGRESS -> progress();
            case WATERMARK -> watermark();
            case PING -> ping();
            case FAILURE -> failure();
            case BYE -> bye();
            case REGROUP -> regroup();
        };
    }

    /** One of a single byte, then one of 70: sequences 0, 1 and 2. */
    private List<Sent> twoBroadcasts() {
        byte[] message = new byte[70];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }
        root.call(0, MemorySegment.ofArray(new byte[1]), 2, ONCE);
        List<Sent> sent = Engines.poll(root, 0);
        root.call(0, MemorySegment.ofArray(message), 2, ONCE);
        sent.addAll(Engines.poll(root, 0));
        assertThat(sent).allMatch(one -> one.destination() == TransmitSlot.GROUP);
        return sent;
    }

    private Sent repair() {
        receiver.onDatagram(0, Arrival.of(twoBroadcasts().get(2).datagram()));
        receiver.onDatagram(0, Arrival.of(Forged.request(4, 2, 1).seal()));
        Sent repair = Engines.first(Engines.poll(receiver, 0), DatagramType.REPAIR);
        assertThat(repair.destination()).isEqualTo(4);
        return repair;
    }

    private Sent groupRepair() {
        twoBroadcasts();
        root.onDatagram(0, Arrival.of(Forged.request(3, 2, 1).fragment(1).seal()));
        Sent repair =
                Engines.first(Engines.poll(root, RepairQueue.LINGER_NS), DatagramType.GROUP_REPAIR);
        assertThat(repair.destination()).isEqualTo(TransmitSlot.GROUP);
        return repair;
    }

    private Sent repairRequest() {
        receiver.onDatagram(0, Arrival.of(twoBroadcasts().get(2).datagram()));
        receiver.onDatagram(0, Arrival.of(Forged.fragment(2, 5, 2, 2, 140).seal()));
        Sent request =
                Engines.first(
                        Engines.pollAfterTimeout(receiver, LossTracker.REORDER_GRACE_NS),
                        DatagramType.REPAIR_REQUEST);
        assertThat(request.destination()).isEqualTo(1);
        return request;
    }

    private Sent have() {
        twoBroadcasts().forEach(one -> receiver.onDatagram(0, Arrival.of(one.datagram())));
        receiver.onDatagram(0, Arrival.of(Forged.of(DatagramType.PING, 4).seal()));
        Sent have = Engines.first(Engines.poll(receiver, 0), DatagramType.HAVE);
        assertThat(have.destination()).isEqualTo(4);
        return have;
    }

    private void consumeOne(BroadcastEngine engine) {
        engine.onDatagram(0, Arrival.of(twoBroadcasts().getFirst().datagram()));
        engine.call(0, MemorySegment.ofArray(new byte[1]), 2, ONCE);
        assertThat(engine.callPending()).isFalse();
    }

    private Sent progress() {
        consumeOne(receiver);
        receiver.onDatagram(
                0, Arrival.of(Forged.of(DatagramType.WATERMARK, 0).message(0, 1, 0).seal()));
        Sent progress = Engines.first(Engines.pollAfterTimeout(receiver, 0), DatagramType.PROGRESS);
        assertThat(progress.destination()).isZero();
        return progress;
    }

    private Sent watermark() {
        consumeOne(zero);
        for (int child = 1; child <= 4; child++) {
            Forged progress = Forged.of(DatagramType.PROGRESS, child).sequence(1).fragment(1);
            zero.onDatagram(0, Arrival.of(progress.seal()));
        }
        Sent watermark = Engines.first(Engines.pollAfterTimeout(zero, 0), DatagramType.WATERMARK);
        assertThat(watermark.destination()).isEqualTo(TransmitSlot.GROUP);
        return watermark;
    }

    private Sent ping() {
        receiver.call(0, MemorySegment.ofArray(new byte[70]), 2, Algorithm.CHAIN.code());
        Sent ping =
                Engines.first(
                        Engines.pollAfterTimeout(receiver, 50 * Engines.MS), DatagramType.PING);
        assertThat(ping.destination()).isEqualTo(2);
        return ping;
    }

    private Sent failure() {
        receiver.call(0, MemorySegment.ofArray(new byte[71]), 2, ONCE);
        receiver.onDatagram(0, Arrival.of(Forged.fragment(2, 0, 0, 0, 70).seal()));
        Sent failure = Engines.first(Engines.pollAfterTimeout(receiver, 0), DatagramType.FAILURE);
        assertThat(failure.destination()).isEqualTo(TransmitSlot.GROUP);
        return failure;
    }

    private Sent regroup() {
        byte[] address = {(byte) 239, (byte) 192, 0, 17};
        zero.moveTo(0, GroupAddress.of(address, 5000, 1));
        Sent regroup = Engines.first(Engines.pollAfterTimeout(zero, 0), DatagramType.REGROUP);
        assertThat(regroup.destination()).isEqualTo(1);
        return regroup;
    }

    private Sent bye() {
        consumeOne(receiver);
        receiver.onDatagram(0, Arrival.of(Forged.of(DatagramType.WATERMARK, 0).sequence(1).seal()));
        receiver.leave(0);
        Sent bye = Engines.first(Engines.poll(receiver, 0), DatagramType.BYE);
        assertThat(bye.destination()).isZero();
        return bye;
    }

    /** The hexadecimal digits of a file without its comments. */
    private static String golden(DatagramType type) throws IOException {
        String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".hex";
        try (InputStream file = GoldenDatagramsTest.class.getResourceAsStream("/golden/" + name)) {
            assertThat(file).as(name).isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> line.replaceAll("#.*", "").strip())
                    .collect(Collectors.joining());
        }
    }
}
