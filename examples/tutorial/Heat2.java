import org.madcast.client.Communicator;

/** Step 2: processes meet and learn their numbers. {@code madcast run -n 3 -- java Heat2.java} */
public class Heat2 {

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            int first = Heat1.SIDE * world.rank() / world.size();
            int rows = Heat1.SIDE * (world.rank() + 1) / world.size() - first;
            System.out.printf("rank %d of %d has %d rows%n", world.rank(), world.size(), rows);
        }
    }
}
