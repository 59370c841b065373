package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.RankLostException;

/** What happens when a rank cannot write, a sender cannot read, or somebody leaves. */
@Timeout(300)
class FileFailureTest {

    private static final int RANKS = 3;
    private static final int BYTES = 20_000_003;
    private static final FileBroadcastOptions DEFAULTS = FileBroadcastOptions.defaults();

    @TempDir private Path directory = Path.of("");
    private Path source = Path.of("");
    private Path mounted = Path.of("");

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
    }

    @AfterEach
    void unmount() throws Exception {
        if (!mounted.toString().isEmpty()) {
            new ProcessBuilder("umount", mounted.toString()).start().waitFor();
        }
    }

    private Path destination(int rank) {
        return directory.resolve("destination-" + rank);
    }

    private FileReport broadcast(Path second) throws Exception {
        return LoopbackJob.run(
                        RANKS,
                        communicator -> {
                            FileBroadcast files = FileBroadcast.over(communicator, DEFAULTS);
                            return switch (communicator.rank()) {
                                case 0 -> files.send(List.of(source.resolve(".")));
                                case 1 -> files.receive(destination(1), 0);
                                default -> files.receive(second, 0);
                            };
                        })
                .getFirst();
    }

    /** The second file system has no room for a single name. */
    @ParameterizedTest
    @ValueSource(strings = {"size=4m", "size=4m,nr_inodes=1"})
    void aFullDiskIsThatRanksFailureAndTheOthersGetEverything(String limits) throws Exception {
        mounted = Files.createDirectory(directory.resolve("small-disk"));
        int code =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", limits, "x", mounted.toString())
                        .start()
                        .waitFor();
        if (code != 0) {
            mounted = Path.of("");
        }
        Assumptions.assumeTrue(code == 0, "mounting a small file system needs root");
        Trees.file(source.resolve("large"), BYTES);
        Trees.file(source.resolve("small"), 1000);

        FileReport report = broadcast(mounted);

        assertThat(report.isWhole()).isFalse();
        assertThat(report.ranks().get(0).isWhole()).isTrue();
        assertThat(report.ranks().get(1).isWhole()).isTrue();
        assertThat(report.ranks().get(2).failures())
                .anySatisfy(failure -> {
                    assertThat(failure.path()).isEqualTo("large");
                    assertThat(failure.reason()).containsIgnoringCase("no space left");
                });
        assertThat(mounted.resolve("large")).doesNotExist();
        Trees.assertSame(source, destination(1));
    }

    @Test
    void aDirectoryThatCannotBeMadeIsThatRanksFailure() throws Exception {
        Trees.file(source.resolve("f"), 1000);
        Path inTheWay = Trees.file(directory.resolve("file"), 1);
        FileReport report = broadcast(inTheWay.resolve("below"));
        assertThat(report.ranks().get(2).failureCount()).isEqualTo(1);
        assertThat(report.ranks().get(2).failures().getFirst().path()).isEmpty();
        Trees.assertSame(source, destination(1));
    }

    @Test
    void aDirectoryInThePlaceOfAFileStays() throws Exception {
        Trees.file(source.resolve("f"), 1000);
        Trees.file(source.resolve("g"), 1000);
        Trees.file(destination(2).resolve("f/precious"), 1);
        FileReport report = broadcast(destination(2));
        assertThat(report.ranks().get(2).failures())
                .extracting(FileFailure::path)
                .containsExactly("f");
        assertThat(destination(2).resolve("f/precious")).exists();
        assertThat(destination(2).resolve("g")).hasSize(1000);
    }

    @Test
    void aFileThatCannotBeReadIsTheSendersFailureAndIsNotMade() throws Exception {
        Trees.file(source.resolve("good"), 1000);
        new ProcessBuilder("mkfifo", source.resolve("pipe").toString()).start().waitFor();
        FileReport report = broadcast(destination(2));
        assertThat(report.ranks().get(0).failures())
                .extracting(FileFailure::path)
                .containsExactly("pipe");
        assertThat(report.ranks().get(1).isWhole()).isTrue();
        assertThat(Trees.describe(destination(1)).keySet()).containsExactly("good");
    }

    @Test
    void aRankThatLeavesEndsItForTheOthersAndTheNextAttemptSendsTheRestOnly() throws Exception {
        Trees.file(source.resolve("large"), BYTES);
        List<Throwable> outcomes =
                LoopbackJob.run(
                        RANKS,
                        communicator -> {
                            AtomicReference<FileBroadcast> self = new AtomicReference<>();
                            FileBroadcast files =
                                    FileBroadcast.over(
                                            communicator,
                                            DEFAULTS.withListener((bytes, _) -> {
                                                if (communicator.rank() == 2
                                                        && bytes > BYTES * 3L / 4) {
                                                    Objects.requireNonNull(self.get()).cancel();
                                                }
                                            }));
                            self.set(files);
                            return catchThrowable(() -> {
                                if (communicator.rank() == 0) {
                                    files.send(List.of(source.resolve(".")));
                                } else {
                                    files.receive(destination(communicator.rank()), 0);
                                }
                            });
                        });
        assertThat(outcomes.get(2)).isInstanceOf(CancellationException.class);
        assertThat(outcomes.subList(0, 2))
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(RankLostException.class));
        assertThat(destination(1).resolve("large")).doesNotExist();

        FileReport report = broadcast(destination(2));

        assertThat(report.isWhole()).as(report.toString()).isTrue();
        assertThat(report.bytesSent()).isLessThan(BYTES / 2);
        assertThat(report.ranks().get(1).bytesResumed()).isGreaterThan(BYTES / 2);
        Trees.assertSame(source, destination(1));
        Trees.assertSame(source, destination(2));
    }

    @Test
    void aSpoiledPartialFileIsNoticedAndTheNextAttemptStartsAnew() throws Exception {
        Path large = Trees.file(source.resolve("large"), BYTES);
        Entry entry =
                new Entry(
                        Entry.Kind.FILE,
                        "large",
                        BYTES,
                        Files.getLastModifiedTime(large).to(TimeUnit.NANOSECONDS),
                        0644,
                        "");
        Path file = Files.createDirectory(destination(2)).resolve("large");
        Files.write(Partials.of(file, entry), new byte[1000]);
        FileReport report = broadcast(destination(2));
        assertThat(report.ranks().get(2).failures()).hasSize(1);
        assertThat(file).doesNotExist();
        Trees.assertTidy(destination(2));
        assertThat(broadcast(destination(2)).isWhole()).isTrue();
        Trees.assertSame(source, destination(2));
    }

    @Test
    void completePartialFilesAreNotSentAgainAndStaleOnesGo() throws Exception {
        Path small = Trees.file(source.resolve("small"), 3000);
        Entry entry =
                new Entry(
                        Entry.Kind.FILE,
                        "small",
                        3000,
                        Files.getLastModifiedTime(small).to(TimeUnit.NANOSECONDS),
                        0644,
                        "");
        for (int rank = 1; rank < RANKS; rank++) {
            Path file = Files.createDirectory(destination(rank)).resolve("small");
            Files.copy(small, Partials.of(file, entry));
            Entry old = new Entry(Entry.Kind.FILE, "small", 99, 5, 0644, "");
            Files.write(Partials.of(file, old), new byte[50]);
        }
        FileReport report = broadcast(destination(2));
        assertThat(report.bytesSent()).isZero();
        assertThat(report.ranks().get(1).bytesResumed()).isEqualTo(3000);
        Trees.assertSame(source, destination(1));
        Trees.assertSame(source, destination(2));
    }

    @Test
    void resumingCanBeRefused() throws Exception {
        Path small = Trees.file(source.resolve("small"), 3000);
        Entry entry =
                new Entry(
                        Entry.Kind.FILE,
                        "small",
                        3000,
                        Files.getLastModifiedTime(small).to(TimeUnit.NANOSECONDS),
                        0644,
                        "");
        Path file = Files.createDirectory(destination(1)).resolve("small");
        Files.write(Partials.of(file, entry), Arrays.copyOf(Files.readAllBytes(small), 2000));
        FileReport report =
                LoopbackJob.run(
                                2,
                                communicator -> {
                                    FileBroadcast files =
                                            FileBroadcast.over(
                                                    communicator, DEFAULTS.withResume(false));
                                    return communicator.rank() == 0
                                            ? files.send(List.of(source.resolve(".")))
                                            : files.receive(destination(1), 0);
                                })
                        .getFirst();
        assertThat(report.bytesSent()).isEqualTo(3000);
        assertThat(report.ranks().get(1).bytesResumed()).isZero();
        Trees.assertSame(source, destination(1));
    }
}
