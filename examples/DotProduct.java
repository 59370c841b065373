import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/** The scalar product of two vectors, of which each rank holds a part. */
public class DotProduct {

    private static final int LENGTH = 1_000_003;

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            int from = (int) ((long) LENGTH * world.rank() / world.size());
            int to = (int) ((long) LENGTH * (world.rank() + 1) / world.size());
            double[] sum = new double[1];
            for (int i = from; i < to; i++) {
                sum[0] += (i % 10) * 2.0; // x[i] = i % 10, y[i] = 2
            }
            world.allreduce(Elements.of(sum), Elements.of(sum), Kind.SUM);
            if (world.rank() == 0) {
                System.out.printf("x * y = %.0f%n", sum[0]);
            }
        }
    }
}
