package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.RandomStream;

/**
 * Makes datagrams with the right token and checksum, every field of every type at the choice of a
 * random stream, mostly near what the job has just sent. It remembers of which broadcasts it forged
 * fragments: the bytes of those, and of no others, may be wrong.
 */
public final class FieldForger {

    private static final int KEPT = 64;

    private final RandomStream random;
    private final int size;
    private final long token;
    private final int datagramBytes;
    private final List<DatagramType> types;
    private final List<MemorySegment> seen = new ArrayList<>();
    private final Set<Integer> forgedBroadcasts = new HashSet<>();
    private long sequence;
    private int broadcast;
    private boolean forgedCredit;

    /** Forges for a job of that many ranks. */
    public FieldForger(RandomStream random, int size, long token, int datagramBytes) {
        this.random = random;
        this.size = size;
        this.token = token;
        this.datagramBytes = datagramBytes;
        this.types = types(random);
    }

    /** One type, some, or all: each alone can do what others would cut short. */
    private static List<DatagramType> types(RandomStream random) {
        List<DatagramType> all = List.of(DatagramType.values());
        if (random.chance(0.4)) {
            return List.of(all.get(random.nextInt(all.size())));
        }
        double share = random.nextDouble();
        List<DatagramType> some = all.stream().filter(type -> random.chance(share)).toList();
        return some.isEmpty() ? all : some;
    }

    /** Overhears a datagram of the job's. */
    public void overhear(MemorySegment datagram) {
        byte[] copy = datagram.toArray(ValueLayout.JAVA_BYTE);
        DatagramType type = DatagramLayout.type(MemorySegment.ofArray(copy));
        if (type.carriesFragment()) {
            sequence = DatagramLayout.sequence(datagram) & 0xffff_ffffL;
            broadcast = DatagramLayout.broadcast(datagram);
        }
        keep(copy);
    }

    /** Whether what a rank got in this broadcast may be wrong. */
    public boolean mayBeWrong(int number) {
        return forgedBroadcasts.contains(number);
    }

    /** Whether a barrier may have ended early: somebody told of calls that were not made. */
    public boolean forgedCredit() {
        return forgedCredit;
    }

    /** Records a sealed datagram. */
    public void record(MemorySegment sealed) {
        keep(sealed.toArray(ValueLayout.JAVA_BYTE));
    }

    /** A recorded datagram, as it was or with a bit turned, or one that was never sealed. */
    public MemorySegment nextOfSealed() {
        if (seen.isEmpty() || random.chance(0.3)) {
            MemorySegment made = made();
            new Checksum().seal(made);
            return made;
        }
        byte[] bytes = seen.get(random.nextInt(seen.size())).toArray(ValueLayout.JAVA_BYTE);
        if (random.chance(0.5)) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return MemorySegment.ofArray(bytes);
    }

    private void keep(byte[] datagram) {
        if (seen.size() < KEPT) {
            seen.add(MemorySegment.ofArray(datagram));
        } else {
            seen.set(random.nextInt(KEPT), MemorySegment.ofArray(datagram));
        }
    }

    /** A forged datagram. */
    public MemorySegment next() {
        MemorySegment datagram = !seen.isEmpty() && random.chance(0.5) ? altered() : made();
        if (!types.contains(DatagramLayout.type(datagram))) {
            datagram = made();
        }
        DatagramType type = DatagramLayout.type(datagram);
        if (type.carriesFragment()) {
            forgedBroadcasts.add(DatagramLayout.broadcast(datagram));
        }
        forgedCredit |=
                type == DatagramType.PROGRESS
                        || type == DatagramType.WATERMARK
                        || type == DatagramType.BYE;
        new Checksum().seal(datagram);
        return datagram;
    }

    /** One that was overheard, with one field changed. */
    private MemorySegment altered() {
        byte[] bytes = seen.get(random.nextInt(seen.size())).toArray(ValueLayout.JAVA_BYTE);
        MemorySegment datagram = MemorySegment.ofArray(bytes);
        int root = DatagramLayout.root(datagram);
        long messageBytes = DatagramLayout.messageBytes(datagram);
        int number = DatagramLayout.broadcast(datagram);
        switch (random.nextInt(8)) {
            case 0 -> sender(datagram, random.nextInt(size));
            case 1 -> DatagramLayout.putSequence(datagram, near(sequence));
            case 2 -> DatagramLayout.putMessage(datagram, near(number), root, messageBytes);
            case 3 -> DatagramLayout.putFragment(datagram, fragment());
            case 4 ->
                    DatagramLayout.putMessage(datagram, number, random.nextInt(size), messageBytes);
            case 5 -> DatagramLayout.putMessage(datagram, number, root, length());
            case 6 -> datagram.set(ValueLayout.JAVA_BYTE, 0, (byte) (0x10 | random.nextInt(16)));
            default ->
                    datagram.set(
                            ValueLayout.JAVA_BYTE,
                            1,
                            types.get(random.nextInt(types.size())).code());
        }
        return datagram;
    }

    private MemorySegment made() {
        DatagramType type = types.get(random.nextInt(types.size()));
        long messageBytes = length();
        long fragment = fragment();
        int payload = payloadBytes(type, messageBytes, fragment);
        int algorithm = type.carriesFragment() ? random.nextInt(9) : 0;
        byte[] bytes = new byte[DatagramLayout.HEADER_BYTES + payload];
        MemorySegment datagram = MemorySegment.ofArray(bytes);
        DatagramLayout.start(datagram, algorithm, type, random.nextInt(size), token);
        DatagramLayout.putSequence(datagram, near(sequence));
        DatagramLayout.putMessage(datagram, near(broadcast), random.nextInt(size), messageBytes);
        DatagramLayout.putFragment(datagram, fragment);
        for (int i = 0; 4 * i + 4 <= payload; i++) {
            DatagramLayout.putPayloadInt(datagram, i, payloadInt(type, i));
        }
        return datagram;
    }

    private int payloadBytes(DatagramType type, long messageBytes, long fragment) {
        if (type.carriesFragment()) {
            int most = datagramBytes - DatagramLayout.HEADER_BYTES;
            return Math.clamp(messageBytes - fragment * most, 0, most);
        }
        return switch (type) {
            case REPAIR_REQUEST -> 8 * random.nextInt(33);
            case FAILURE, REGROUP -> 24;
            default -> 0;
        };
    }

    private int payloadInt(DatagramType type, int index) {
        if (type == DatagramType.REGROUP) {
            return switch (index) {
                case 0 -> random.chance(0.8) ? 1 + random.nextInt(200) : (int) random.nextLong();
                case 1 -> 4 << 24 | random.nextInt(4) << 16 | 1 + random.nextInt(65_535);
                case 5 -> 0xef000000 | random.nextInt(1 << 24);
                default -> 0;
            };
        }
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(8);
            case 1 -> (int) near(sequence);
            case 2 -> random.nextInt(512);
            default -> (int) random.nextLong();
        };
    }

    private long near(long number) {
        return switch (random.nextInt(6)) {
            case 0 -> number;
            case 1 -> number + 1 + random.nextInt(3);
            case 2 -> number + random.nextInt(256);
            case 3 -> number - random.nextInt(256);
            case 4 -> number + 256 - random.nextInt(4);
            default -> random.nextLong();
        };
    }

    private long fragment() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(4);
            case 1 -> random.nextInt(256);
            case 2 -> random.nextInt(1 << 24);
            default -> random.nextLong() & 0xffff_ffffL;
        };
    }

    private long length() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1 + random.nextInt(datagramBytes);
            case 2 -> random.nextInt(500_000);
            default -> random.nextLong() & DatagramLayout.MAX_MESSAGE_BYTES;
        };
    }

    private static void sender(MemorySegment datagram, int rank) {
        datagram.set(ValueLayout.JAVA_BYTE, 2, (byte) (rank >>> 8));
        datagram.set(ValueLayout.JAVA_BYTE, 3, (byte) rank);
    }
}
