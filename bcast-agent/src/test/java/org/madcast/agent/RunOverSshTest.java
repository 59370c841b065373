package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code madcast run --hostfile}, with a script in the place of ssh that runs everything here. */
@Timeout(180)
class RunOverSshTest {

    @TempDir private Path directory = Path.of("");
    private String ssh = "";
    private String hosts = "";

    @BeforeEach
    void write() throws IOException {
        Path script = directory.resolve("fake-ssh");
        // As ssh, which is gone when it is ended, and what it runs then sees the end of its input.
        Files.writeString(
                script,
                """
                #!/bin/sh
                REMOTE=$1; export REMOTE; shift
                mkfifo %1$s/in-$$
                sh -c "$*" <%1$s/in-$$ &
                exec 4>%1$s/in-$$
                trap 'exec 4>&-; exit 143' TERM
                wait $!
                exit $?
                """
                        .formatted(directory));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        ssh = script.toString();
        hosts = hosts("# the cluster\nn1 slots=2\n\nn2   # the small one\n");
    }

    private String hosts(String text) throws IOException {
        return Files.writeString(directory.resolve("hosts"), text).toString();
    }

    private Outcome run(String... command) {
        String[] all = new String[8 + command.length];
        System.arraycopy(
                new String[] {"run", "-n", "4", "--hostfile", hosts, "--ssh", ssh, "--"},
                0,
                all,
                0,
                8);
        System.arraycopy(command, 0, all, 8, command.length);
        return Outcome.of(all);
    }

    @Test
    void ranksGoToTheHostsInTurnAndQuotesSurvive() {
        Outcome ran =
                run(
                        "sh",
                        "-c",
                        "echo \"$MADCAST_RANK of $MADCAST_SIZE on $REMOTE: $1\"",
                        "x",
                        "it's 1 $word");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .containsExactlyInAnyOrder(
                        "0 of 4 on n1: it's 1 $word",
                        "1 of 4 on n1: it's 1 $word",
                        "2 of 4 on n2: it's 1 $word",
                        "3 of 4 on n1: it's 1 $word");
    }

    @Test
    void theyMeetAtTheFirstHost() {
        Outcome ran = run("sh", "-c", "echo $MADCAST_ROOT ${MADCAST_INTERFACE:-any}");
        assertThat(ran.out().lines()).allMatch(line -> line.matches("n1:\\d+ any"));
    }

    /** A rank that fails ends the others though they are elsewhere. */
    @Test
    void ranksEndWithTheirConnection() throws IOException {
        Path pids = Files.createDirectory(directory.resolve("pids"));
        Outcome failed =
                run(
                        "sh",
                        "-c",
                        "[ $MADCAST_RANK = 2 ] || { echo > "
                                + pids
                                + "/$$; exec sleep 600; };"
                                + " while [ $(ls "
                                + pids
                                + " | wc -l) -lt 3 ]; do sleep 0.05; done; exit 7");
        assertThat(failed.code()).isEqualTo(7);
        assertThat(failed.err()).contains("rank 2 on n2");
        try (var files = Files.list(pids)) {
            for (Path file : files.toList()) {
                long pid = Long.parseLong(String.valueOf(file.getFileName()));
                while (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
                    LockSupport.parkNanos(20_000_000);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# none\n", "n1 slots=0", "n1 n2", "n1 slots=2 n2"})
    void aListThatIsNoneIsRefused(String text) throws IOException {
        hosts = hosts(text);
        Outcome refused = run("true");
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains(hosts);
    }

    @Test
    void aLabThatIsNotUpIsNamed() {
        Outcome refused = Outcome.of("run", "-n", "2", "--lab", "nosuchlab", "--", "true");
        assertThat(refused.code()).isEqualTo(ExitCode.LAB.code());
        assertThat(refused.err()).contains("nosuchlab").contains("lab up");
    }
}
