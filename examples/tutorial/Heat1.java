/** Step 1: heat spreads over a plate, in one process and without Madcast. {@code java Heat1.java} */
public class Heat1 {

    static final int SIDE = 60;
    static final int STEPS = 100;

    public static void main(String[] arguments) {
        double[][] now = new double[SIDE + 2][SIDE + 2];
        double[][] next = new double[SIDE + 2][SIDE + 2];
        for (int step = 0; step < STEPS; step++) {
            java.util.Arrays.fill(now[0], 100); // the upper edge is hot
            for (int row = 1; row <= SIDE; row++) {
                for (int column = 1; column <= SIDE; column++) {
                    next[row][column] =
                            (now[row - 1][column] + now[row + 1][column] + now[row][column - 1] + now[row][column + 1]) / 4;
                }
            }
            double[][] swapped = now;
            now = next;
            next = swapped;
        }
        double heat = 0;
        for (int row = 1; row <= SIDE; row++) {
            for (int column = 1; column <= SIDE; column++) {
                heat += now[row][column];
            }
        }
        System.out.printf("heat %.6f%n", heat);
    }
}
