import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.madcast.client.Elements;

/**
 * Ranks compress blocks of a text, and rank 0 gathers them. The length of a compressed block is not known before:
 * lengths go first. Overlapped, a rank compresses its next block while the one before is under way.
 * {@code madcast run -n 4 -- java Compression.java size=32}
 */
public class Compression implements Trial.Application {

    private static final int BLOCK = 256 << 10;

    private final Trial trial;
    private final int blocks;
    private final int ranks;
    private final byte[][] gathered; // rank 0's, by block
    private final byte[][] texts; // this rank's blocks; it reads no others

    private Compression(Trial trial) {
        this.trial = trial;
        blocks = trial.number("size", 48, 1, 4096);
        ranks = trial.world.size();
        Trial.require(ranks <= blocks, ranks + " ranks are too many for " + blocks + " blocks");
        gathered = new byte[blocks][];
        texts = new byte[blocks][];
        for (int block = first(trial.world.rank()); block < first(trial.world.rank() + 1); block++) {
            texts[block] = text(block);
        }
    }

    public static void main(String[] arguments) {
        Trial.run(arguments, Compression::new);
    }

    private int first(int rank) {
        return Trial.first(blocks, rank, ranks);
    }

    /** Words of a few thousand, the frequent ones more often, as in a text. */
    private static byte[] text(int block) {
        Random random = new Random(block);
        byte[] text = new byte[BLOCK];
        int at = 0;
        while (at < BLOCK) {
            double frequent = random.nextDouble() * random.nextDouble();
            int word = (int) (frequent * 5000);
            for (int letter = 0; letter < 2 + word % 9 && at < BLOCK; letter++) {
                text[at++] = (byte) ('a' + (word * 31L + letter * 17L + (long) word * letter) % 26);
            }
            if (at < BLOCK) {
                text[at++] = ' ';
            }
        }
        return text;
    }

    private static byte[] compress(byte[] text) {
        try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION)) {
            deflater.setInput(text);
            deflater.finish();
            byte[] room = new byte[text.length + 1024];
            int length = deflater.deflate(room);
            return Arrays.copyOf(room, length);
        }
    }

    @Override
    public double[] alone() {
        byte[][] compressed = new byte[blocks][];
        for (int block = 0; block < blocks; block++) {
            byte[] text = texts[block] != null ? texts[block] : text(block);
            compressed[block] = compress(text);
        }
        return sums(compressed);
    }

    @Override
    public void together(boolean overlapped) {
        Round before = null;
        Round second = null;
        int rounds = (blocks + ranks - 1) / ranks;
        for (int number = 0; number < rounds; number++) {
            Round round = new Round(number);
            round.beginLengths();
            if (!overlapped) {
                round.beginBlocks();
                round.finish();
                continue;
            }
            if (before != null) {
                before.beginBlocks();
            }
            if (second != null) {
                second.finish();
            }
            second = before;
            before = round;
        }
        if (overlapped) {
            before.beginBlocks();
            if (second != null) {
                second.finish();
            }
            before.finish();
        }
    }

    /** One block of each rank, on its way to rank 0; of a rank that has no more, none. */
    private final class Round {
        private final int number;
        private final byte[] compressed;
        private final int[] lengths = new int[ranks];
        private byte[] incoming = new byte[0];
        private CompletableFuture<Void> underWay;

        Round(int number) {
            this.number = number;
            int block = block(trial.world.rank());
            compressed = block < 0 ? new byte[0] : compress(texts[block]);
        }

        /** A rank's block of this round, or -1. */
        private int block(int rank) {
            int block = first(rank) + number;
            return block < first(rank + 1) ? block : -1;
        }

        void beginLengths() {
            int[] length = {compressed.length};
            underWay = trial.communicate(() ->
                    trial.world.iallgather(Elements.of(length), Elements.of(lengths)));
        }

        void beginBlocks() {
            trial.await(underWay);
            if (trial.world.rank() == 0) {
                incoming = new byte[Arrays.stream(lengths).sum()];
            }
            underWay = trial.communicate(() ->
                    trial.world.igatherv(Elements.of(compressed), Elements.of(incoming), lengths, 0));
        }

        void finish() {
            trial.await(underWay);
            int at = 0;
            for (int rank = 0; rank < ranks && trial.world.rank() == 0; rank++) {
                if (block(rank) >= 0) {
                    gathered[block(rank)] = Arrays.copyOfRange(incoming, at, at += lengths[rank]);
                }
            }
        }
    }

    @Override
    public double[] digest() {
        return trial.world.rank() == 0 ? sums(gathered) : new double[0];
    }

    /** The length of all blocks, and a checksum of them in order. */
    private static double[] sums(byte[][] compressed) {
        CRC32 crc = new CRC32();
        long length = 0;
        for (byte[] block : compressed) {
            crc.update(block);
            length += block.length;
        }
        return new double[] {length, crc.getValue()};
    }
}
