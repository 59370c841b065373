import java.util.Arrays;
import java.util.List;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.RevokedException;
import org.madcast.client.Spares;

/**
 * Heat spreads along a rod, as in Survivors, and spare ranks take the places of lost ones: the number of
 * ranks stays the same. Every 100 steps all ranks keep the whole rod. The processes that are named as
 * arguments are killed: ranks at step 450, spares while they wait.
 */
public class Replaced {

    private static final int CELLS = 1200;
    private static final int STEPS = 1000;
    private static final int EVERY = 100;

    public static void main(String[] killed) throws Exception {
        int process = Integer.parseInt(System.getenv("MADCAST_RANK"));
        boolean dies = List.of(killed).contains(Integer.toString(process));
        try (Spares spares = Spares.fromEnvironment()) {
            if (dies && process >= 8) {
                die();
            }
            Communicator ranks = spares.awaitPlace().orElse(null);
            if (ranks == null) {
                return; // a spare that was not needed
            }
            double[] kept = new double[CELLS + 1]; // the rod, and at which step that was
            kept[0] = 100; // one end is hot, the other cold
            while (kept[CELLS] < STEPS) {
                double[] later = new double[CELLS + 1];
                boolean well = true;
                try {
                    // All have kept the same, but for one that has just been called in: it has less.
                    ranks.allreduce(Elements.of(kept), Elements.of(later), Kind.MAX);
                    kept = later.clone();
                    advance(ranks, later, dies && kept[CELLS] == 400);
                } catch (RankLostException | RevokedException loss) {
                    ranks.revoke(); // the others may wait for this rank, which is not lost
                    well = false;
                }
                if (ranks.agree(well ? 1 : 0) == 1) {
                    kept = later;
                } else {
                    ranks = spares.restore();
                }
            }
            if (ranks.rank() == 0) {
                double heat = Arrays.stream(kept, 0, CELLS).sum();
                System.out.printf("heat %.6f after %d steps by %d ranks%n", heat, STEPS, ranks.size());
            }
        }
    }

    /** All ranks have the whole rod afterwards. */
    private static void advance(Communicator ranks, double[] rod, boolean dies) throws Exception {
        int[] counts = new int[ranks.size()];
        Arrays.setAll(counts, rank -> first(ranks, rank + 1) - first(ranks, rank));
        int begin = first(ranks, ranks.rank());
        int end = first(ranks, ranks.rank() + 1);
        for (int step = 0; step < EVERY; step++) {
            if (dies && step == EVERY / 2) {
                die();
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
        ranks.allgatherv(Elements.of(own), Elements.of(rod, 0, CELLS), counts);
        rod[CELLS] += EVERY;
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

    private static void die() throws Exception {
        long self = ProcessHandle.current().pid();
        new ProcessBuilder("kill", "-9", Long.toString(self)).start().waitFor();
    }
}
