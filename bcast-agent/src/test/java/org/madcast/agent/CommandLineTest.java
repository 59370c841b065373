package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.node.FreePort;

/** The commands of this archive: what they have in common and refuse before anything is started. */
class CommandLineTest extends EveryCommand {

    @Test
    void theHelpNamesEveryCommand() {
        Outcome help = Outcome.of("--help");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains("demo", "serve", "lab", "lease", "run", "build", "test")
                .contains("agent", "push", "probe", "completion", "man");
    }

    @Test
    void theHelpOfACommandListsItsOwnExitCodesOnly() {
        assertThat(run("push", "--help").out())
                .contains(ExitCode.OK.meaning(), ExitCode.NODE.meaning())
                .doesNotContain(ExitCode.LAB.meaning(), ExitCode.NO_SUCH_LEASE.meaning());
    }

    @Test
    void exitCodesDiffer() {
        assertThat(Stream.of(ExitCode.values()).map(ExitCode::code)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"-v,demo", "lease,grant", "token,make", "lab,up"})
    void withoutTheNameOfACommandTheHelpIsShown(String words, String one) {
        Outcome shown = run(words);
        assertThat(shown.code()).isEqualTo(ExitCode.OK.code());
        assertThat(shown.out()).contains("Usage: madcast").contains(one);
    }

    @Test
    void aFileThatIsMissingIsSaidBeforeATokenThatIs() {
        Outcome refused = run("push no-such-file --token-file no-such-token h1:/b");
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(refused.err()).contains("no-such-file does not exist");
    }

    @Test
    void aMisspeltOptionIsSuggested() {
        assertThat(run("demo --rank 3").err()).contains("did you mean").contains("--ranks");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nonsense | there is no command 'nonsense'",
                "lease grand | there is no command 'grand' (did you mean grant",
                "demo one two | 'two' is one argument too many",
                "demo --ranks many | 'many' is not a whole number",
                "demo --ranks 65 | --ranks must be 1 to 64, not 65",
                "demo --loss 100 | --loss must be 0 to less than 100, not 100.0",
                "probe --ttl 256 h1 | --ttl must be 0 to 255, not 256",
                "run -n 0 -- true | -n must be 1 to 65535, not 0",
                "lease grant --job j --duration soon | 'soon' is not a duration; write 30s",
                "push --mode odd a h:/b | 'odd' is none of leave, newer, overwrite",
                "lease grant --job j --starts-at soon | 'soon' is not a time; write 2026-",
                "push a | name what to send, and where to as NODES:/DIRECTORY",
                "push a --rate 1Mbit/s --memory 1 h:/b | memory of 1 bytes",
                "push a --rate fast h:/b | --rate = 'fast' is not a rate",
                "push a --rate 40mbit --memory 1 h:/b | memory of 1 bytes",
                "push a --rate none --memory 1 h:/b | memory of 1 bytes",
                "probe --rate fast h1 | not a rate: 'fast'; write it like 100mbit, 1gbit or",
                "probe --rate 500Mbit/s --group here h1 | --group must look like",
                "push a --interface nope0 h:/b | this machine has no interface 'nope0'",
                "push a h[1-:/b | 'h[1-' is neither a node nor a range like h[1-8]",
                "demo --loss abc | 'abc' is not a number",
                "lease list --service localhost:8730 | 'localhost:8730' is not a service's address",
                "run -n 1 --service localhost:8730 -- true | 'localhost:8730' is not a service's",
                "lease grant --job j --json --shell | use only one of --format, --json and --shell",
                "lease grant --job j --json --format env | use only one of --format, --json",
                "frobnicate --help | there is no command 'frobnicate'",
                "lab exec --help | there is no command 'exec'; see 'madcast lab --help'",
                "help lease grand | there is no command 'grand'",
                "biuld | there is no command 'biuld' (did you mean build?)",
                "pusk a h:/b | (did you mean push?)",
                "demo --rnaks 3 | (did you mean --ranks?)",
                "push --detla a h:/b | (did you mean --delta?)",
                "lease lsit | (did you mean list?)",
                "probe --group here h1 | --group must look like 239.192.3.7:5000, not 'here'",
                "probe --group 239.1.2.3:70000 h1 | --group must look like",
                "serve foo | 'foo' is no option of the service; they look like --NAME=VALUE",
                "serve -- --server.port=8799 | set the port with --port",
                "lab up --hosts 0 | a lab has 1 to 64 hosts, not 0"
            })
    void whatIsWrongIsSaidInWordsForPeople(String words, String said) {
        Outcome refused = run(words);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.err()).contains(said);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --ranks 0",
                "demo --ranks 65",
                "demo --ranks many",
                "demo --loss 100",
                "demo --loss -1",
                "demo --port 0",
                "demo --port 65536",
                "demo --rate fast",
                "demo --no-lab --loss 1",
                "demo one two",
                "run -n 0 -- true",
                "run -n 65536 -- true",
                "run -- true",
                "run -n 2",
                "run -n 2 --lab a --hostfile b -- true",
                "probe",
                "probe --ttl 256 h1",
                "probe --group 10.0.0.1:5000 h1",
                "probe --rate fast h1",
                "serve --port 70000",
                "serve foo",
                "serve -- -Dfoo=1",
                "serve --port 8798 -- --server.port=8799",
                "lab up --hosts 0",
                "lab up --hosts 65",
                "lab up --rate fast",
                "lab up --loss 101",
                "lab up --name no/slash",
                "lease grant",
                "lease grant --job j --duration soon",
                "lease list --service nowhere",
                "lease renew not-an-id",
                "lease release 7b1c7a3a-7b1c-4a3a-8b1c-7a3a7b1c7a3a --secret=",
                "nonsense"
            })
    void wrongArgumentsAreOneLineAndTheUsageCode(String words) {
        Outcome refused = run(words);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertOneLine(refused);
    }

    @ParameterizedTest
    @CsvSource({"missing,does not exist", "directory,is a directory", "device,not a regular file"})
    void aFileThatCannotBeSentIsNamed(String kind, String complaint, @TempDir Path directory) {
        Path file =
                switch (kind) {
                    case "missing" -> directory.resolve("no-such-file");
                    case "directory" -> directory;
                    default -> Path.of("/dev/null");
                };
        Outcome refused = Outcome.of("demo", file.toString());
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertOneLine(refused);
        assertThat(refused.err()).contains(file.toString()).contains(complaint);
    }

    @Test
    void aServiceThatDoesNotAnswerIsOneLine() {
        Outcome refused = Outcome.of("lease", "list", "--service", "http://127.0.0.1:1");
        assertThat(refused.code()).isEqualTo(ExitCode.SERVICE.code());
        assertOneLine(refused);
        assertThat(refused.err()).contains("http://127.0.0.1:1").contains("madcast serve");
    }

    @Test
    void aProgramThatCannotBeStartedIsNamed() {
        Outcome refused = Outcome.of("run", "-n", "2", "--", "no-such-program");
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertOneLine(refused);
        assertThat(refused.err()).contains("'no-such-program'");
    }

    @ParameterizedTest
    @CsvSource({"Ring.java,java Ring.java", "app.jar,java -jar app.jar"})
    void aSourceFileOrJarInPlaceOfAProgramIsAnsweredWithTheCommand(String file, String command) {
        Outcome refused = Outcome.of("run", "-n", "2", file);
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertOneLine(refused);
        assertThat(refused.err()).contains("did you mean: " + command);
    }

    @Test
    void theFirstRankThatFailsEndsTheJobWithItsCode() {
        Outcome failed =
                Outcome.of(
                        "run",
                        "-n",
                        "3",
                        "--",
                        "sh",
                        "-c",
                        "[ $MADCAST_RANK = 1 ] && exit 7; exec sleep 600");
        assertThat(failed.code()).isEqualTo(7);
        assertOneLine(failed);
        assertThat(failed.err()).contains("rank 1");
    }

    @Test
    void ranksGetTheirEnvironmentAndTheirOutputTheirNumber() {
        Outcome ran =
                Outcome.of(
                        "run",
                        "-n",
                        "2",
                        "--job",
                        "j1",
                        "--prefix",
                        "--",
                        "sh",
                        "-c",
                        "echo rank $MADCAST_RANK of $MADCAST_SIZE in $MADCAST_JOB_ID");
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out().lines())
                .containsExactlyInAnyOrder("[0] rank 0 of 2 in j1", "[1] rank 1 of 2 in j1");
    }

    @Test
    void whatRanksReportIsATableAtTheEnd() {
        String sums =
                "{\\\"profile\\\":1,\\\"rank\\\":$MADCAST_RANK,\\\"size\\\":2,"
                        + "\\\"host\\\":\\\"$MADCAST_REPORT\\\"}";
        String rank = "echo \"madcast: report: " + sums + "\" >&2; echo last >&2";
        Outcome ran = Outcome.of("run", "-np", "2", "--report", "sh", "-c", rank, "-x");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().lines().map(line -> line.replaceAll("^( *\\w+ +\\w+).*", "$1")))
                .startsWith("last", "last", "rank  host", "   0     1", "   1     1");
        assertThat(Outcome.of("run", "-n", "1", "sh", "-c", "echo ${MADCAST_REPORT:-off}").out())
                .isEqualTo("off\n");
    }

    private static List<String> meetingPlaces(String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", "1"));
        arguments.addAll(List.of(options));
        arguments.addAll(
                List.of("--", "sh", "-c", "echo \"${MADCAST_SERVICE:-no} ${MADCAST_ROOT:+root}\""));
        Outcome ran = Outcome.of(arguments.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return ran.out().lines().toList();
    }

    @Test
    void ranksMeetAtTheServiceAloneWhenItIsThere() throws IOException {
        try (ServerSocket service = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            String uri = "http://127.0.0.1:" + service.getLocalPort();
            assertThat(meetingPlaces("--service", uri)).containsExactly(uri + " ");
        }
    }

    @Test
    void ranksOfAServiceThatIsAwayCanMeetAtRank0() {
        assertThat(meetingPlaces("--service", "http://127.0.0.1:1"))
                .containsExactly("http://127.0.0.1:1 root");
        assertThat(meetingPlaces()).containsExactly("no root");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-v run -n 2 -- no-such-program", "run -v -n 2 -- no-such-program"})
    void verboseSaysWhereWhereverItStands(String words) {
        assertThat(run(words).err()).contains("CommandFailure").contains("\tat org.madcast.");
    }

    @ParameterizedTest
    @CsvSource({"file,is not a directory", "file/below,cannot be made", "/proc/x,cannot be made"})
    void aDataDirectoryThatCannotBeUsedIsNamed(
            String name, String complaint, @TempDir Path directory) throws IOException {
        Path there = directory.resolve(name);
        Files.createFile(directory.resolve("file"));
        String port = freePort();
        for (String command : List.of("demo --no-lab", "serve")) {
            Outcome refused = run(command, "--port", port, "--data-dir", there.toString());
            assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
            assertOneLine(refused);
            assertThat(refused.err()).contains("--data-dir " + there + " " + complaint);
        }
    }

    @Test
    void aDataDirectoryInUseIsNamedByTheOptionOfThisCommand(@TempDir Path directory)
            throws IOException {
        Path lock = Files.createFile(directory.resolve("lock"));
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            Outcome refused = run("serve", "--port", freePort(), "--data-dir", "" + directory);
            assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
            assertOneLine(refused);
            assertThat(refused.err()).contains("--data-dir " + directory + " is in use by another");
        }
    }

    private static String freePort() throws IOException {
        return Integer.toString(FreePort.onLoopback().getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "push", "lease grant"})
    void helpIsACommandToo(String command) {
        Outcome help = run(("help " + command).strip());
        assertThat(help.code()).isZero();
        assertThat(help.out()).isEqualTo(run((command + " --help").strip()).out());
    }
}
