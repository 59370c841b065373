package org.madcast.client.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One full datagram of an Ethernet frame: its header written, its checksum made, and checked. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DatagramBenchmark {

    private static final long TOKEN = 0x0123456789abcdefL;
    private static final int DATAGRAM_BYTES = 1472;

    private final MemorySegment datagram = Arena.ofAuto().allocate(DATAGRAM_BYTES, 64);
    private final ByteBuffer bytes = datagram.asByteBuffer();
    private final CRC32C crc = new CRC32C();
    private final Checksum checksum = new Checksum();
    private final DatagramCheck check =
            new DatagramCheck(TOKEN, 1, 16, DATAGRAM_BYTES, true, checksum);
    private long sequence;

    private final Datagram arrived = new Datagram(datagram);

    /** So that {@link #check} finds a sound datagram. */
    @Setup
    public void fill() {
        encode();
    }

    /** What any implementation pays: the JDK's CRC-32C over the same bytes, nothing else. */
    @Benchmark
    public long crc() {
        crc.reset();
        crc.update(bytes.clear());
        return crc.getValue();
    }

    /** The header and its checksum; the payload is there already. */
    @Benchmark
    public MemorySegment encode() {
        DatagramLayout.start(datagram, 0, DatagramType.DATA, 0, TOKEN);
        DatagramLayout.putSequence(datagram, ++sequence);
        DatagramLayout.putMessage(datagram, 7, 0, 1 << 20);
        DatagramLayout.putFragment(datagram, sequence & 0xff);
        checksum.seal(datagram);
        return datagram;
    }

    /** What every arriving datagram goes through first. */
    @Benchmark
    public @Nullable Rejection check() {
        return check.reject(arrived.lay(0, DATAGRAM_BYTES));
    }
}
