package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that Open MPI or Slurm start find their places from what these tell them. */
@Timeout(180)
class OtherLaunchersIT {

    private static final int RANKS = 4;

    @TempDir private Path directory = Path.of("");

    static void assumeInstalled(List<String> programs) {
        for (String program : programs) {
            boolean found =
                    Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin")
                            .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
            assumeTrue(found, program + " is not installed");
        }
        assumeTrue("root".equals(System.getProperty("user.name")), "not root");
    }

    /** A rank, and one size in bytes for each. */
    private static List<String> rank() {
        Path built = Path.of(System.getProperty("madcast.home"), "bcast-agent", "target");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp"));
        command.add(built.resolve("test-classes") + ":" + built.resolve("lib") + "/*");
        command.add(BroadcastingRank.class.getName());
        IntStream.range(0, RANKS).forEach(_ -> command.add("100000"));
        return command;
    }

    /** Where they meet. */
    static Map<String, String> meeting() throws IOException {
        return Map.of(
                "MADCAST_ROOT", "127.0.0.1:" + Program.freePort(),
                "MADCAST_INTERFACE", "lo",
                "MADCAST_MADCAP", "off");
    }

    private static void assertAllTookPart(String said) {
        assertThat(
                        said.lines()
                                .filter(line -> line.startsWith("rank "))
                                .map(line -> line.charAt(5)))
                .as(said)
                .containsExactlyInAnyOrder('0', '1', '2', '3');
    }

    /** An MPI program, unmodified. */
    private List<String> mpiProgram() throws IOException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                MpiProgram.jar().toString(),
                MpiProgram.write(directory).toString());
    }

    @Test
    void ranksThatMpirunStartsBroadcast() throws Exception {
        assertAllTookPart(mpirun(RANKS, meeting(), rank()));
    }

    @Test
    void anMpiProgramNeedsNothingOfMpirun() throws Exception {
        MpiProgram.assertRan(mpirun(3, Map.of(), mpiProgram()), 3);
    }

    static String mpirun(int ranks, Map<String, String> meeting, List<String> rank)
            throws Exception {
        assumeInstalled(List.of("mpirun"));
        List<String> command =
                new ArrayList<>(
                        List.of("mpirun", "--oversubscribe", "-np", Integer.toString(ranks)));
        meeting.keySet().forEach(name -> command.addAll(List.of("-x", name)));
        command.addAll(rank);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(meeting);
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        Process mpirun = builder.start();
        String said = new String(mpirun.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(mpirun.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    @Tag("slow")
    void ranksThatSlurmStartsBroadcast() throws Exception {
        assumeInstalled(SlurmNodes.PROGRAMS);
        try (SlurmNodes slurm = SlurmNodes.up(directory, 2)) {
            List<String> command = new ArrayList<>(List.of("srun", "-N2", "-n" + RANKS));
            command.addAll(rank());
            assertAllTookPart(slurm.run(meeting(), command.toArray(String[]::new)));
            List<String> mpi = new ArrayList<>(List.of("srun", "-N2", "-n4"));
            mpi.addAll(mpiProgram());
            MpiProgram.assertRan(slurm.run(meeting(), mpi.toArray(String[]::new)), 4);
        }
    }
}
