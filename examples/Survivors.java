import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.RevokedException;

/**
 * Heat spreads along a rod that is cut into pieces, one for each rank. Every 100 steps all ranks keep the
 * whole rod and agree that they have it; when ranks are lost, the others redo the steps since then. The
 * ranks that are named as arguments are killed at step 450. With {@code within=10} the program fails when the loss
 * costs more than 10 s beside the steps that are redone.
 */
public class Survivors {

    private static final int CELLS = 1200;
    private static final int STEPS = 1000;
    private static final int EVERY = 100;

    public static void main(String[] arguments) throws Exception {
        Communicator ranks = Communicator.fromEnvironment();
        List<String> killed = new ArrayList<>(List.of(arguments));
        double within = Double.POSITIVE_INFINITY;
        for (String each : arguments) {
            if (each.matches("within=\\d+")) {
                within = Integer.parseInt(each.substring(7));
                killed.remove(each);
            } else if (!each.matches("\\d{1,5}") || Integer.parseInt(each) >= ranks.size()) {
                refuse(ranks, "none of " + ranks.size() + " ranks is called " + each + "; write 2 5 within=10");
            }
        }
        int dies = killed.contains(Integer.toString(ranks.rank())) ? 450 : -1;
        double[] rod = new double[CELLS];
        rod[0] = 100; // one end is hot, the other cold
        int step = 0;
        double[] lost = new double[1]; // seconds
        while (step < STEPS) {
            long startNs = System.nanoTime();
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
                lost[0] += (System.nanoTime() - startNs) / 1e9;
            }
        }
        ranks.allreduce(Elements.of(lost), Elements.of(lost), Kind.MAX);
        if (ranks.rank() == 0) {
            if (lost[0] > 0) {
                System.out.printf("lost %.1f s beside the steps that were redone%n", lost[0]);
            }
            System.out.printf("heat %.6f after %d steps%n", Arrays.stream(rod).sum(), STEPS);
        }
        ranks.close();
        if (lost[0] > within) {
            System.exit(1);
        }
    }

    /** Ends all ranks, after rank 0 has said why. */
    private static void refuse(Communicator ranks, String why) {
        if (ranks.rank() == 0) {
            System.err.println(why);
        }
        ranks.barrier();
        ranks.close();
        System.exit(2);
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
