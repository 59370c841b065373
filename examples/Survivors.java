import java.util.Arrays;
import java.util.List;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.RankLostException;
import org.madcast.client.RevokedException;

/**
 * Heat spreads along a rod that is cut into pieces, one for each rank. Every 100 steps all ranks keep the
 * whole rod and agree that they have it; when ranks are lost, the others redo the steps since then. The
 * ranks that are named as arguments are killed at step 450.
 */
public class Survivors {

    private static final int CELLS = 1200;
    private static final int STEPS = 1000;
    private static final int EVERY = 100;

    public static void main(String[] killed) throws Exception {
        Communicator ranks = Communicator.fromEnvironment();
        int dies = List.of(killed).contains(Integer.toString(ranks.rank())) ? 450 : -1;
        double[] rod = new double[CELLS];
        rod[0] = 100; // one end is hot, the other cold
        int step = 0;
        while (step < STEPS) {
            double[] later = rod.clone();
            boolean well = true;
            try {
                advance(ranks, later, dies - step);
            } catch (RankLostException | RevokedException loss) {
                ranks.revoke(); // the others may wait for this rank, which is not lost
                well = false;
            }
            if (ranks.agree(well ? 1 : 0) == 1) {
                rod = later;
                step += EVERY;
            } else {
                Communicator left = ranks.shrink();
                ranks.close();
                ranks = left;
                if (ranks.rank() == 0) {
                    System.out.printf("%d ranks go on from step %d%n", ranks.size(), step);
                }
            }
        }
        if (ranks.rank() == 0) {
            System.out.printf("heat %.6f after %d steps%n", Arrays.stream(rod).sum(), STEPS);
        }
        ranks.close();
    }

    /** All ranks have the whole rod afterwards. */
    private static void advance(Communicator ranks, double[] rod, int dies) throws Exception {
        int[] counts = new int[ranks.size()];
        Arrays.setAll(counts, rank -> first(ranks, rank + 1) - first(ranks, rank));
        int begin = first(ranks, ranks.rank());
        int end = first(ranks, ranks.rank() + 1);
        for (int step = 0; step < EVERY; step++) {
            if (step == dies) {
                long self = ProcessHandle.current().pid();
                new ProcessBuilder("kill", "-9", Long.toString(self)).start().waitFor();
            }
            exchange(ranks, rod, begin, end);
            double before = rod[Math.max(begin - 1, 0)];
            for (int cell = Math.max(begin, 1); cell < Math.min(end, CELLS - 1); cell++) {
                double now = rod[cell];
                rod[cell] = now + 0.4 * (before - 2 * now + rod[cell + 1]);
                before = now;
            }
        }
        double[] own = Arrays.copyOfRange(rod, begin, end);
        ranks.allgatherv(Elements.of(own), Elements.of(rod), counts);
    }

    private static int first(Communicator ranks, int rank) {
        return CELLS * rank / ranks.size();
    }

    /** Gives the neighbours this rank's border cells and gets theirs. */
    private static void exchange(Communicator ranks, double[] rod, int begin, int end) {
        int left = ranks.rank() - 1;
        int right = ranks.rank() + 1;
        if (end < CELLS) {
            ranks.send(Elements.of(rod, end - 1, 1), right, 0);
        }
        if (begin > 0) {
            ranks.sendRecv(Elements.of(rod, begin, 1), left, 0, Elements.of(rod, begin - 1, 1), left, 0);
        }
        if (end < CELLS) {
            ranks.recv(Elements.of(rod, end, 1), right, 0);
        }
    }
}
