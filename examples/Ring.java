import org.madcast.client.Communicator;
import org.madcast.client.Elements;

/** A token goes round all ranks; each adds its number. {@code madcast run -n 4 -- java examples/Ring.java} */
public class Ring {

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            int next = (world.rank() + 1) % world.size();
            int before = (world.rank() + world.size() - 1) % world.size();
            long[] token = {0};
            Elements message = Elements.of(token);
            if (world.rank() != 0) {
                world.recv(message, before, 0);
            }
            token[0] += world.rank();
            if (world.size() > 1) {
                world.send(message, next, 0);
            }
            if (world.rank() == 0 && world.size() > 1) {
                world.recv(message, before, 0);
            }
            if (world.rank() == 0) {
                System.out.println("the token is " + token[0] + " after " + world.size() + " ranks");
            }
        }
    }
}
