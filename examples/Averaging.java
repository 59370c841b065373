import java.util.Random;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * Ranks fit one line to their own points and average its parameters after each step, as in distributed
 * training. All begin with rank 0's parameters.
 */
public class Averaging {

    private static final int STEPS = 400;

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            Random random = new Random(world.rank());
            double[] line = world.rank() == 0 ? new double[] {5, -3} : new double[2];
            Elements parameters = Elements.of(line);
            world.bcast(parameters, 0);
            for (int step = 0; step < STEPS; step++) {
                double x = random.nextDouble();
                double error = line[0] * x + line[1] - (2 * x + 1); // the points lie on y = 2 x + 1
                line[0] -= 0.5 * error * x;
                line[1] -= 0.5 * error;
                world.allreduce(parameters, parameters, Kind.SUM);
                line[0] /= world.size();
                line[1] /= world.size();
            }
            if (world.rank() == 0) {
                System.out.printf("y = %.1f x + %.1f%n", line[0], line[1]);
            }
        }
    }
}
