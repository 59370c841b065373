import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * What the applications beside it share: it times one alone, with blocking calls and overlapped, compares the
 * results and prints lines of {@code key=value}. It ends with 0 when all results are right, 1 when one is
 * wrong, 2 for a wrong argument, 3 for a missing file.
 */
final class Trial {

    /** A program in three forms. A digest is a few numbers that stand for the whole result. */
    interface Application {

        /** Computes everything on one rank, without communication; returns the digest. */
        double[] alone();

        /** Computes with all ranks, each call blocking or overlapped with computing. */
        void together(boolean overlapped);

        /** The digest of what all ranks have computed, at rank 0; it is not timed. */
        double[] digest();

        /** By how much a number of a digest may differ, as a part of it. */
        default double tolerance() {
            return 0;
        }
    }

    /** Why the program ends without a result. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final int exitCode;

        Refused(int exitCode, String message) {
            super(message);
            this.exitCode = exitCode;
        }
    }

    private record Time(double seconds, double communication) {}

    final Communicator world;
    private final Map<String, String> arguments = new HashMap<>();
    private final Set<String> known = new TreeSet<>();
    private long communicationNs;
    private boolean right = true;

    private Trial(Communicator world, String[] arguments) {
        this.world = world;
        for (String each : arguments) {
            int equals = each.indexOf('=');
            require(equals > 0, "'" + each + "' is no argument; write size=64 or repeat=3");
            this.arguments.put(each.substring(0, equals), each.substring(equals + 1));
        }
    }

    /** Runs an application from start to end. */
    static void run(String[] arguments, Function<Trial, Application> making) {
        int exitCode = 0;
        try (Communicator world = Communicator.fromEnvironment()) {
            try {
                Trial trial = new Trial(world, arguments);
                trial.run(making.apply(trial));
                exitCode = trial.right ? 0 : 1;
            } catch (Refused refused) {
                if (world.rank() == 0) {
                    System.err.println(refused.getMessage());
                }
                world.barrier(); // so that no rank ends the others before rank 0 has said why
                exitCode = refused.exitCode;
            }
        }
        System.exit(exitCode);
    }

    /** A number that the user may give as {@code key=value}. */
    int number(String key, int usual, int least, int most) {
        String text = text(key, Integer.toString(usual));
        int value = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
        require(value >= least && value <= most, key + " must be " + least + " to " + most + ", not " + text);
        return value;
    }

    /** A text that the user may give as {@code key=value}. */
    String text(String key, String usual) {
        known.add(key);
        return arguments.getOrDefault(key, usual);
    }

    /** Ends the program on every rank, with this one line, unless the condition holds. */
    static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new Refused(2, complaint);
        }
    }

    /** The first of this rank's items, of which there are {@code items} in all. */
    static int first(int items, int rank, int ranks) {
        return (int) ((long) items * rank / ranks);
    }

    /** Makes a call whose time is communication. */
    <T> T communicate(Supplier<T> call) {
        long startNs = System.nanoTime();
        T value = call.get();
        communicationNs += System.nanoTime() - startNs;
        return value;
    }

    /** Makes a call whose time is communication. */
    void communicate(Runnable call) {
        communicate(() -> {
            call.run();
            return null;
        });
    }

    /** Waits for what was begun. */
    void await(CompletableFuture<?> begun) {
        communicate(begun::join);
    }

    private void run(Application application) {
        int repetitions = number("repeat", 3, 1, 100);
        for (String key : arguments.keySet()) {
            require(known.contains(key), "no argument is called " + key + "; there are " + String.join(", ", known));
        }
        double[] expected = null;
        if (world.rank() == 0) {
            double best = Double.MAX_VALUE;
            for (int round = 0; round < Math.min(2, repetitions); round++) {
                long startNs = System.nanoTime();
                expected = application.alone();
                best = Math.min(best, (System.nanoTime() - startNs) / 1e9);
            }
            int processors = Runtime.getRuntime().availableProcessors();
            System.out.printf(Locale.ROOT, "ranks=%d processors=%d%n", world.size(), processors);
            System.out.printf(Locale.ROOT, "form=alone seconds=%.4f communication=0%n", best);
        }
        int warmUps = repetitions > 1 ? 1 : 0;
        Time[][] times = new Time[2][repetitions];
        for (int round = -warmUps; round < repetitions; round++) {
            for (int form = 0; form < 2; form++) {
                Time time = time(application, form == 1);
                compare(expected, application.digest(), application.tolerance());
                times[form][Math.max(round, 0)] = time;
            }
        }
        if (world.rank() == 0) {
            print("blocking", times[0]);
            print("overlapped", times[1]);
            System.out.println(right ? "result=right" : "result=wrong");
        }
    }

    private Time time(Application application, boolean overlapped) {
        world.barrier();
        communicationNs = 0;
        long startNs = System.nanoTime();
        application.together(overlapped);
        double[] slowest = {(System.nanoTime() - startNs) / 1e9};
        double[] sum = {communicationNs / 1e9};
        world.allreduce(Elements.of(slowest), Elements.of(slowest), Kind.MAX);
        world.allreduce(Elements.of(sum), Elements.of(sum), Kind.SUM);
        return new Time(slowest[0], sum[0] / world.size());
    }

    private void compare(double[] expected, double[] found, double tolerance) {
        int[] wrong = new int[1];
        for (int i = 0; expected != null && i < expected.length; i++) {
            if (!(Math.abs(found[i] - expected[i]) <= tolerance * Math.abs(expected[i]))) {
                System.err.println("wrong: " + Arrays.toString(found) + ", not " + Arrays.toString(expected));
                wrong[0] = 1;
                break;
            }
        }
        world.bcast(Elements.of(wrong), 0);
        right &= wrong[0] == 0;
    }

    /** The median of the repetitions by their time. */
    private static void print(String form, Time[] times) {
        Arrays.sort(times, (a, b) -> Double.compare(a.seconds, b.seconds));
        Time median = times[times.length / 2];
        System.out.printf(
                Locale.ROOT,
                "form=%s seconds=%.4f communication=%.4f%n",
                form,
                median.seconds,
                median.communication);
    }
}
