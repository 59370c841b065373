package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Conformance programs of the module {@code mpi} for each area of the standard, under the launchers
 * of Open MPI and Slurm and on two hosts. A program that ends well says nothing.
 */
@Timeout(600)
class ConformanceIT {

    private static final int RANKS = 4;

    @TempDir private Path directory = Path.of("");

    static Stream<String> programs() {
        return Stream.of(
                "Basics 0 mpj.conf niodev own 7",
                "Envelopes",
                "Modes",
                "RequestForms",
                "OpenMpiCollectives",
                "MpiJavaCollectives",
                "Communicators",
                "Intercommunicators",
                "BetweenGroups",
                "RandomTypes",
                "Extremes",
                "Topologies",
                "Windows",
                "FileAccesses FILES",
                "Spawned parents");
    }

    private List<String> words(String program) throws Exception {
        Path files = Files.createDirectories(directory.resolve("files"));
        List<String> words = new ArrayList<>(List.of(program.split(" ")));
        words.set(0, "org.madcast.mpi.programs." + words.getFirst());
        words.replaceAll(word -> word.equals("FILES") ? files.toString() : word);
        return words;
    }

    private static String classes() {
        return Path.of(System.getProperty("madcast.home"), "mpi", "target", "test-classes")
                .toString();
    }

    private List<String> rank(String program) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of("-cp", MpiProgram.jar() + ":" + classes()));
        command.addAll(words(program));
        return command;
    }

    @Test
    void mpirunStartsOneOfThem() throws Exception {
        mpirunStartsEach("OpenMpiCollectives");
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programs")
    void mpirunStartsEach(String program) throws Exception {
        assertThat(OtherLaunchersIT.mpirun(RANKS, Map.of(), rank(program))).isEmpty();
    }

    @Tag("slow")
    @Test
    void srunStartsThem() throws Exception {
        OtherLaunchersIT.assumeInstalled(SlurmNodes.PROGRAMS);
        try (SlurmNodes slurm = SlurmNodes.up(directory, 2)) {
            for (String program : programs().toList()) {
                List<String> command = new ArrayList<>(List.of("srun", "-Q", "-N2", "-n" + RANKS));
                command.addAll(rank(program));
                String said = slurm.run(OtherLaunchersIT.meeting(), command.toArray(String[]::new));
                assertThat(said).as(program).isEmpty();
            }
        }
    }

    @Tag("slow")
    @Test
    void twoHostsRunThemWithTwoRanksEach() throws Exception {
        NeedsLab.assumeAvailable();
        String name = "con" + ProcessHandle.current().pid() % 10_000;
        madcast(List.of("lab", "up", "--name", name, "--hosts", "2"));
        try {
            for (String program : programs().toList()) {
                List<String> command =
                        new ArrayList<>(List.of("run", "-n", "" + RANKS, "--lab", name, "java"));
                command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
                command.addAll(List.of("-cp", classes()));
                command.addAll(
                        words(program.equals("Communicators") ? "Communicators 2" : program));
                assertThat(madcast(command)).as(program).isEmpty();
            }
        } finally {
            madcast(List.of("lab", "down", name));
        }
    }

    private String madcast(List<String> words) throws Exception {
        Path own = Files.createTempDirectory(directory, "own");
        try (Program program = Program.start(own, words.toArray(String[]::new))) {
            assertThat(program.await()).as(words + ": " + program.out() + program.err()).isZero();
            return program.out();
        }
    }
}
