import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * Counts the words of a text by map and reduce. Each rank counts those of its pieces; each word has a rank that adds
 * up its counts, to which they go by alltoallv, piece by piece. Overlapped, a rank counts its next piece while the
 * counts of the one before are under way. {@code madcast run -n 4 -- java WordCount.java input=docs size=100}
 */
public class WordCount implements Trial.Application {

    private static final int PIECE = 256 << 10;

    private final Trial trial;
    private final int ranks;
    private final int pieces;
    private final byte[] text;
    private Map<String, Integer> totals = new HashMap<>();

    private WordCount(Trial trial) {
        this.trial = trial;
        ranks = trial.world.size();
        pieces = trial.number("size", 64, 1, 100_000);
        Trial.require(ranks <= pieces, ranks + " ranks are too many for " + pieces + " pieces");
        text = read(Path.of(trial.text("input", "docs")));
        Trial.require(text.length > 0, trial.text("input", "docs") + " has no text");
    }

    public static void main(String[] arguments) {
        Trial.run(arguments, WordCount::new);
    }

    /** A file, or all of Markdown and text in a directory. */
    private static byte[] read(Path input) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Stream<Path> found = Files.walk(input)) {
            List<Path> files = found.filter(Files::isRegularFile).sorted().toList();
            for (Path file : files) {
                if (file.equals(input) || file.toString().matches(".*\\.(md|txt)")) {
                    all.write(Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new Trial.Refused(3, input + " does not exist or cannot be read");
        }
        return all.toByteArray();
    }

    /** The counts of one piece; when the text is over, it begins again. */
    private Map<String, Integer> count(int piece) {
        Map<String, Integer> counts = new HashMap<>();
        StringBuilder word = new StringBuilder();
        int at = (int) ((long) piece * PIECE % text.length);
        for (int i = 0; i <= PIECE; i++) {
            int letter = i < PIECE ? Character.toLowerCase(text[at]) : ' ';
            if (letter >= 'a' && letter <= 'z' && word.length() < 100) {
                word.append((char) letter);
            } else if (!word.isEmpty()) {
                counts.merge(word.toString(), 1, Integer::sum);
                word.setLength(0);
            }
            at = at + 1 < text.length ? at + 1 : 0;
        }
        return counts;
    }

    @Override
    public double[] alone() {
        Map<String, Integer> all = new HashMap<>();
        for (int piece = 0; piece < pieces; piece++) {
            count(piece).forEach((word, count) -> all.merge(word, count, Integer::sum));
        }
        return sums(all);
    }

    @Override
    public void together(boolean overlapped) {
        totals = new HashMap<>();
        int rounds = (pieces + ranks - 1) / ranks;
        Round before = null;
        Round second = null;
        for (int number = 0; number < rounds; number++) {
            Round round = new Round(number * ranks + trial.world.rank());
            round.beginLengths();
            if (!overlapped) {
                round.beginWords();
                round.reduce();
                continue;
            }
            if (before != null) {
                before.beginWords();
            }
            if (second != null) {
                second.reduce();
            }
            second = before;
            before = round;
        }
        if (overlapped) {
            before.beginWords();
            if (second != null) {
                second.reduce();
            }
            before.reduce();
        }
    }

    /** The counts of one piece of each rank, on their way to the ranks that add them up. */
    private final class Round {
        private final int[] lengths = new int[ranks];
        private final int[] incomingLengths = new int[ranks];
        private final byte[] outgoing;
        private byte[] incoming = new byte[0];
        private CompletableFuture<Void> underWay;

        Round(int piece) {
            ByteArrayOutputStream[] parts = new ByteArrayOutputStream[ranks];
            Arrays.setAll(parts, _ -> new ByteArrayOutputStream());
            Map<String, Integer> counts = piece < pieces ? count(piece) : Map.of();
            counts.forEach((word, count) -> {
                byte[] line = (word + " " + count + "\n").getBytes(StandardCharsets.US_ASCII);
                parts[Math.floorMod(word.hashCode(), ranks)].writeBytes(line);
            });
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int rank = 0; rank < ranks; rank++) {
                lengths[rank] = parts[rank].size();
                all.writeBytes(parts[rank].toByteArray());
            }
            outgoing = all.toByteArray();
        }

        void beginLengths() {
            underWay = trial.communicate(() ->
                    trial.world.ialltoall(Elements.of(lengths), Elements.of(incomingLengths)));
        }

        void beginWords() {
            trial.await(underWay);
            incoming = new byte[Arrays.stream(incomingLengths).sum()];
            underWay = trial.communicate(() -> trial.world.ialltoallv(
                    Elements.of(outgoing), lengths, Elements.of(incoming), incomingLengths));
        }

        void reduce() {
            trial.await(underWay);
            for (int at = 0; at < incoming.length; at++) {
                int start = at;
                while (incoming[at] != ' ') {
                    at++;
                }
                String word = new String(incoming, start, at - start, StandardCharsets.US_ASCII);
                int count = 0;
                while (incoming[++at] != '\n') {
                    count = 10 * count + incoming[at] - '0';
                }
                totals.merge(word, count, Integer::sum);
            }
        }
    }

    @Override
    public double[] digest() {
        double[] sums = sums(totals);
        trial.world.allreduce(Elements.of(sums), Elements.of(sums), Kind.SUM);
        return sums;
    }

    /** How many words, how many different ones, and a number for which words have which counts. */
    private static double[] sums(Map<String, Integer> counts) {
        double[] sums = {0, counts.size(), 0};
        counts.forEach((word, count) -> {
            sums[0] += count;
            sums[2] += (double) count * (word.hashCode() & 0xFFFF);
        });
        return sums;
    }
}
