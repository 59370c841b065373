import org.madcast.client.Communicator;

/** Step 2: processes meet and learn their numbers. {@code madcast run -n 3 -- java Heat2.java} */
public class Heat2 {

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            check(world);
            int first = Heat1.SIDE * world.rank() / world.size();
            int rows = Heat1.SIDE * (world.rank() + 1) / world.size() - first;
            System.out.printf("rank %d of %d has %d rows%n", world.rank(), world.size(), rows);
        }
    }

    /** Ends all ranks if there are more of them than rows. */
    static void check(Communicator world) {
        if (world.size() > Heat1.SIDE) {
            if (world.rank() == 0) {
                System.err.printf("%d ranks are too many for %d rows%n", world.size(), Heat1.SIDE);
            }
            world.barrier(); // madcast run ends the others when one has ended with a failure
            world.close();
            System.exit(2);
        }
    }
}
