import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.Elements;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.RevokedException;
import org.madcast.client.Spares;

/**
 * Heat spreads along a rod, as in Survivors, and spare ranks take the places of lost ones: the number of
 * ranks stays the same. Every 100 steps all ranks keep the whole rod. The processes that are named as
 * arguments are killed: ranks at step 450, spares while they wait. With {@code within=10} the program fails when
 * the loss costs more than 10 s beside the steps that are redone.
 */
public class Replaced {

    private static final int CELLS = 1200;
    private static final int STEPS = 1000;
    private static final int EVERY = 100;

    public static void main(String[] arguments) throws Exception {
        CommunicatorConfig config = CommunicatorConfig.fromEnvironment();
        int spareOnes = Integer.parseInt(System.getenv().getOrDefault("MADCAST_SPARES", "0"));
        List<String> killed = new ArrayList<>(List.of(arguments));
        double within = Double.POSITIVE_INFINITY;
        for (String each : arguments) {
            if (each.matches("within=\\d+")) {
                within = Integer.parseInt(each.substring(7));
                killed.remove(each);
            } else if (!each.matches("\\d{1,5}") || Integer.parseInt(each) >= config.size()) {
                refuse(config, "none of " + config.size() + " ranks is called " + each + "; write 2 5 within=10");
            }
        }
        boolean quick = true;
        boolean dies = killed.contains(Integer.toString(config.rank()));
        try (Spares spares = Spares.join(config, spareOnes)) {
            if (dies && config.rank() >= config.size() - spareOnes) {
                die();
            }
            Communicator ranks = spares.awaitPlace().orElse(null);
            if (ranks == null) {
                return; // a spare that was not needed
            }
            double[] kept = new double[CELLS + 1]; // the rod, and at which step that was
            kept[0] = 100; // one end is hot, the other cold
            double[] lost = new double[1]; // seconds
            while (kept[CELLS] < STEPS) {
                long startNs = System.nanoTime();
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
                    lost[0] += (System.nanoTime() - startNs) / 1e9;
                }
            }
            ranks.allreduce(Elements.of(lost), Elements.of(lost), Kind.MAX);
            if (ranks.rank() == 0) {
                if (lost[0] > 0) {
                    System.out.printf("lost %.1f s beside the steps that were redone%n", lost[0]);
                }
                double heat = Arrays.stream(kept, 0, CELLS).sum();
                System.out.printf("heat %.6f after %d steps by %d ranks%n", heat, STEPS, ranks.size());
            }
            quick = lost[0] <= within;
        }
        System.exit(quick ? 0 : 1);
    }

    /** Ends all ranks, after rank 0 has said why. */
    private static void refuse(CommunicatorConfig config, String why) {
        try (Communicator all = Communicator.join(config)) {
            if (all.rank() == 0) {
                System.err.println(why);
            }
            all.barrier();
        }
        System.exit(2);
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
