package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.ExitCode;
import org.madcast.lab.HostCounters;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** What MPI programs expect of {@code madcast run}. */
@Timeout(300)
class RunIT {

    @TempDir private Path directory = Path.of("");

    private static void signal(String name, long pid) throws Exception {
        String id = Long.toString(pid);
        assertThat(new ProcessBuilder("kill", "-" + name, id).start().waitFor()).isZero();
    }

    @Test
    void standardInputGoesToRank0AndTheOthersSeeItsEnd() throws Exception {
        Path input = directory.resolve("input");
        byte[] all = new byte[200_000];
        java.util.Arrays.fill(all, (byte) '\n');
        Files.write(input, all);
        List<String> rank = List.of("run", "-np", "3", "--prefix", "wc", "-c");
        try (Program run = Program.startWithInput(directory, input, rank)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out().lines()).containsExactlyInAnyOrder("[0] 200000", "[1] 0", "[2] 0");
        }
    }

    /** Lines that each rank writes in two pieces. */
    @Test
    void linesStayWhole() throws Exception {
        String half = "0123456789".repeat(8);
        String rank =
                "i=0; while [ $i -lt 500 ]; do printf %s "
                        + half
                        + "; echo "
                        + half
                        + "; i=$((i+1)); done";
        try (Program run = Program.start(directory, "run", "-n", "8", "sh", "-c", rank)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out().lines()).hasSize(4000).allMatch((half + half)::equals);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void aSignalReachesEachRankOnce(String name, int code) throws Exception {
        String rank =
                "trap 'echo heard' "
                        + name
                        + "; echo up; i=0;"
                        + " while [ $i -lt 20 ]; do sleep 0.05; i=$((i+1)); done; echo end";
        try (Program run = Program.start(directory, "run", "-n", "2", "sh", "-c", rank)) {
            run.await("both are up", () -> run.out().lines().filter("up"::equals).count() == 2);
            signal(name, run.pid());
            assertThat(run.await()).isEqualTo(code);
            assertThat(run.out().lines())
                    .containsExactlyInAnyOrder("up", "up", "heard", "heard", "end", "end");
            assertThat(run.err().lines()).containsOnlyOnce("madcast: interrupted");
            run.assertNothingIsLeft();
        }
    }

    /** No rank gets another signal instead, and none is left. */
    @Test
    void aSignalWhileRanksStartReachesThoseThatHaveStarted() throws Exception {
        String rank =
                "trap 'echo heard' INT; trap 'echo wrong' TERM; echo up; i=0;"
                        + " while [ $i -lt 20 ]; do sleep 0.05; i=$((i+1)); done; echo end";
        try (Program run = Program.start(directory, "run", "-n", "24", "sh", "-c", rank)) {
            run.await("the first is up", () -> run.out().contains("up"));
            run.interrupt();
            assertThat(run.await()).isEqualTo(ExitCode.INTERRUPTED.code());
            long up = run.out().lines().filter("up"::equals).count();
            assertThat(run.out().lines().filter("heard"::equals)).hasSize((int) up);
            assertThat(run.out().lines().filter("end"::equals)).hasSize((int) up);
            assertThat(run.out()).doesNotContain("wrong");
            run.assertNothingIsLeft();
        }
    }

    @Test
    void theSecondSignalKills() throws Exception {
        String rank = "trap 'echo heard' INT TERM; echo up; while :; do sleep 0.05; done";
        try (Program run = Program.start(directory, "run", "-n", "2", "sh", "-c", rank)) {
            run.await("both are up", () -> run.out().lines().filter("up"::equals).count() == 2);
            run.interrupt();
            run.await("both heard", () -> run.out().lines().filter("heard"::equals).count() == 2);
            run.interrupt();
            assertThat(run.await()).isEqualTo(ExitCode.INTERRUPTED.code());
            run.assertNothingIsLeft();
        }
    }

    /** Neither does what a rank has started outlive it. */
    @Test
    void aKilledRankIsNamedAndEndsTheOthers() throws Exception {
        String rank = "echo $MADCAST_RANK $$; sleep 600 & wait";
        try (Program run = Program.start(directory, "run", "-n", "3", "sh", "-c", rank)) {
            run.await("all are up", () -> run.out().lines().count() == 3);
            String pid =
                    run.out().lines().filter(line -> line.startsWith("1 ")).findAny().orElseThrow();
            signal("KILL", Long.parseLong(pid.substring(2)));
            assertThat(run.await()).isEqualTo(137);
            assertThat(run.err().lines())
                    .singleElement()
                    .asString()
                    .contains("rank 1", "code 137", "KILL", "ending the others");
            run.assertNothingIsLeft();
        }
    }

    @Test
    void ranksEndWhenTheLauncherIsKilled() throws Exception {
        try (Program run =
                Program.start(directory, "run", "-n", "2", "sh", "-c", "echo up; exec sleep 600")) {
            run.await("both are up", () -> run.out().lines().count() == 2);
            run.kill();
            run.await("everything has ended", () -> run.descendants("").isEmpty());
        }
    }

    /** An MPI program, unmodified, by each way to name it. */
    @Test
    void programsFindThePackageMpi() throws Exception {
        Path source = directory.resolve("Hello.java");
        Files.writeString(
                source,
                """
                public class Hello {
                    public static void main(String[] arguments) throws Exception {
                        System.out.println(mpi.MPIException.class.getName() + arguments.length);
                    }
                }
                """,
                StandardCharsets.UTF_8);
        Path jdk = Path.of(System.getProperty("java.home"), "bin");
        Path home = Path.of(System.getProperty("madcast.home"));
        Path classes = directory.resolve("classes");
        run(
                jdk.resolve("javac").toString(),
                "--release",
                "8",
                "-Xlint:-options",
                "-cp",
                home.resolve("mpi/target/mpi.jar").toString(),
                "-d",
                classes.toString(),
                source.toString());
        Path jar = directory.resolve("app.jar");
        run(
                jdk.resolve("jar").toString(),
                "cfe",
                jar.toString(),
                "Hello",
                "-C",
                classes.toString(),
                "Hello.class");
        Path relative = Path.of("").toAbsolutePath().relativize(jdk.resolve("java"));
        List<String> ways =
                List.of(
                        "java -cp " + classes + " Hello 1",
                        jdk.resolve("java") + " -classpath " + jar + " Hello 1",
                        relative + " --class-path=" + jar + " Hello 1",
                        "java -jar " + jar + " 1",
                        "java " + source + " 1",
                        "java -cp none " + source + " 1");
        for (int i = 0; i < ways.size(); i++) {
            List<String> words = new ArrayList<>(List.of("run", "-n", "1"));
            Stream.of(ways.get(i).split(" ")).forEach(words::add);
            Path own = Files.createDirectory(directory.resolve("way" + i));
            try (Program run = Program.start(own, words.toArray(String[]::new))) {
                assertThat(run.await()).as(ways.get(i) + ": " + run.err()).isZero();
                assertThat(run.out()).as(ways.get(i)).isEqualTo("mpi.MPIException1\n");
                assertThat(run.err()).as(ways.get(i)).isEmpty();
            }
        }
    }

    /** A poller of virtual threads waits in the system, for which the JVM's end waits 300 ms. */
    @Test
    void ranksEndWithoutAPollerOfVirtualThreads() throws Exception {
        Path source = directory.resolve("Threads.java");
        Files.writeString(
                source,
                """
                import org.madcast.client.*;

                public class Threads {
                    public static void main(String[] none) {
                        try (Communicator ranks = Communicator.fromEnvironment()) {
                            ranks.allreduce(Elements.of(new int[1]), Elements.of(new int[1]),
                                    ReduceOperation.Kind.SUM);
                        }
                        Thread.getAllStackTraces().keySet().stream()
                                .map(Thread::getName)
                                .filter(name -> name.contains("Poller"))
                                .forEach(System.out::println);
                    }
                }
                """);
        try (Program run = Program.start(directory, "run", "-n", "3", "java", "" + source)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out()).isEmpty();
        }
    }

    /** Compiled once, so the compiler's words come once. */
    @Test
    void aProgramThatCannotBeCompiledIsNotStarted() throws Exception {
        Path source = directory.resolve("Wrong.java");
        Files.writeString(source, "class Wrong { void main() { undeclared(); } }");
        try (Program run = Program.start(directory, "run", "-n", "3", "java", "" + source)) {
            assertThat(run.await()).as(run.err()).isEqualTo(3);
            assertThat(run.err())
                    .containsOnlyOnce("Wrong.java:1: error: cannot find symbol")
                    .endsWith("madcast: the program cannot be compiled\n");
            assertThat(run.out()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void mpiProgramsRun(int ranks) throws Exception {
        assertMpiProgramRuns(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void mpiProgramsRunWithOtherNumbersOfRanks(int ranks) throws Exception {
        assertMpiProgramRuns(ranks);
    }

    private void assertMpiProgramRuns(int ranks) throws Exception {
        String source = MpiProgram.write(directory).toString();
        try (Program run =
                Program.start(directory, "run", "-n", "" + ranks, "--report", "java", source)) {
            assertThat(run.await()).as(run.err()).isZero();
            MpiProgram.assertRan(run.out(), ranks);
            List<String> lines = run.err().lines().toList();
            assertThat(lines.subList(1, 1 + ranks))
                    .as(run.err())
                    .allMatch(line -> line.matches(" *\\d  .*( +\\d+\\.\\d+){4}  .*B"));
            for (int rank = 0; rank < ranks; rank++) {
                String begin = "rank " + rank + ": ";
                assertThat(lines)
                        .anyMatch(
                                line -> line.matches(begin + "\\w+ [\\d.]+ s \\(\\d+ calls?\\b.*"));
            }
            assertThat(lines).allMatch(line -> line.length() <= 80);
        }
    }

    @Test
    void mpiProgramsRunOnTwoHostsWithTwoRanksEach() throws Exception {
        NeedsLab.assumeAvailable();
        String source = MpiProgram.write(directory).toString();
        String name = "mpi" + ProcessHandle.current().pid() % 10_000;
        lab("up", "--name", name, "--hosts", "2");
        try (Program run =
                Program.start(directory, "run", "-n", "4", "--lab", name, "java", source)) {
            assertThat(run.await()).as(run.err()).isZero();
            MpiProgram.assertRan(run.out(), 4);
        } finally {
            lab("down", name);
        }
    }

    /** A ring whose neighbours have numbers that alternate between the hosts. */
    @Test
    void ranksThatAreMappedByTheirProfileSendLessBetweenHosts() throws Exception {
        NeedsLab.assumeAvailable();
        Path source = directory.resolve("Scrambled.java");
        Files.writeString(
                source,
                """
                import java.util.List;
                import org.madcast.client.*;

                public class Scrambled {
                    public static void main(String[] none) {
                        List<Integer> ring = List.of(0, 3, 2, 1);
                        try (Communicator ranks = Communicator.fromEnvironment()) {
                            int at = ring.indexOf(ranks.rank());
                            byte[] out = new byte[1 << 20];
                            byte[] in = new byte[1 << 20];
                            ranks.sendRecv(Elements.of(out), ring.get((at + 1) % 4), 0,
                                    Elements.of(in), ring.get((at + 3) % 4), 0);
                        }
                    }
                }
                """);
        String profile = directory.resolve("prof").toString();
        try (Lab lab = Lab.up(LabSpec.builder().hosts(2).rate("100mbit").build())) {
            long inOrder = sentBetweenHosts(lab, profile, "--prefix", "java " + source);
            long mapped = sentBetweenHosts(lab, "", "--map " + profile, "java " + source);
            assertThat(inOrder).isGreaterThan(4 << 20);
            assertThat(mapped).isGreaterThan(2 << 20).isLessThan(inOrder * 2 / 3);
        }
    }

    private long sentBetweenHosts(Lab lab, String profile, String options, String program)
            throws Exception {
        HostCounters before = lab.counters(0);
        String words = "run -n 4 --lab %s %s -- %s".formatted(lab.spec().name(), options, program);
        List<String> command = List.of(words.split(" "));
        Path own = Files.createTempDirectory(directory, "run");
        try (Program run = Program.startWith(own, Map.of("MADCAST_PROFILE", profile), command)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.err())
                    .isEqualTo(
                            command.contains("--map")
                                    ? "madcast: ranks are mapped: 2 MiB between hosts instead of 4 MiB\n"
                                    : "");
        }
        HostCounters sent = lab.counters(0).since(before);
        return sent.sentBytes() + sent.receivedBytes();
    }

    private void lab(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("lab"));
        words.addAll(List.of(arguments));
        Path own = Files.createDirectory(directory.resolve("lab-" + arguments[0]));
        try (Program lab = Program.start(own, words.toArray(String[]::new))) {
            assertThat(lab.await()).as(lab.err()).isZero();
        }
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
