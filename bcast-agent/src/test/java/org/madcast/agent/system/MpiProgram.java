package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** An MPI program of both APIs, as a source file, that uses each kind of communication once. */
final class MpiProgram {

    private static final String SOURCE =
            """
            import mpi.*;

            public class Sums {
                public static void main(String[] arguments) throws Exception {
                    MPI.Init(arguments);
                    Intracomm world = MPI.COMM_WORLD;
                    int rank = world.Rank();
                    int size = world.getSize();
                    int[] sum = new int[1];
                    world.Allreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    int[] left = new int[1];
                    world.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, (rank + 1) % size, 5,
                            left, 0, 1, MPI.INT, (rank + size - 1) % size, 5);
                    double[] numbers = new double[30_000];
                    if (rank == 1 % size) {
                        java.util.Arrays.fill(numbers, 0.5);
                    }
                    world.bcast(numbers, numbers.length, MPI.DOUBLE, 1 % size);
                    System.out.println("rank " + rank + " of " + size + " has " + sum[0] + " after "
                            + left[0] + " and " + java.util.Arrays.stream(numbers).sum());
                    MPI.Finalize();
                }
            }
            """;

    private MpiProgram() {}

    /** Writes it. */
    static Path write(Path directory) throws IOException {
        return Files.writeString(directory.resolve("Sums.java"), SOURCE);
    }

    /** Where its API is. */
    static Path jar() {
        return Path.of(System.getProperty("madcast.home"), "mpi", "target", "mpi.jar");
    }

    /** Asserts that each rank has said the right numbers, among others that a launcher says. */
    static void assertRan(String said, int ranks) {
        assertThat(said.lines().filter(line -> line.startsWith("rank ")))
                .as(said)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, ranks)
                                .mapToObj(rank ->
                                        "rank %d of %d has %d after %d and 15000.0"
                                                .formatted(
                                                        rank,
                                                        ranks,
                                                        ranks * (ranks + 1) / 2,
                                                        (rank + ranks - 1) % ranks))
                                .toList());
    }
}
