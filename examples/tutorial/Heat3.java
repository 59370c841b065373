import org.madcast.client.Communicator;
import org.madcast.client.Elements;

/** Step 3: what only rank 0 knows is broadcast to all. {@code madcast run -n 3 -- java Heat3.java 100} */
public class Heat3 {

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            double[] edge = new double[1];
            if (world.rank() == 0) {
                edge[0] = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 100;
            }
            world.bcast(Elements.of(edge), 0);
            System.out.printf("rank %d: the upper edge has %.0f degrees%n", world.rank(), edge[0]);
        }
    }
}
