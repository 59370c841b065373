package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What arrives on every rank, over real multicast on loopback; rank 0 sends. */
@Timeout(300)
class FileBroadcastTest {

    private static final int RANKS = 4;
    private static final FileBroadcastOptions DEFAULTS = FileBroadcastOptions.defaults();

    @TempDir private Path directory = Path.of("");
    private Path source = Path.of("");

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
    }

    private Path destination(int rank) {
        return directory.resolve("destination-" + rank);
    }

    private FileReport broadcast(FileBroadcastOptions options, Path... sources) throws Exception {
        List<FileReport> reports =
                LoopbackJob.run(
                        RANKS,
                        communicator -> {
                            FileBroadcast files = FileBroadcast.over(communicator, options);
                            return communicator.rank() == 0
                                    ? files.send(List.of(sources))
                                    : files.receive(destination(communicator.rank()), 0);
                        });
        assertThat(reports).hasSize(RANKS).containsOnly(reports.getFirst());
        return reports.getFirst();
    }

    private FileReport broadcastContent(FileBroadcastOptions options) throws Exception {
        return broadcast(options, source.resolve("."));
    }

    private void assertEverywhereTheSame() throws IOException {
        for (int rank = 1; rank < RANKS; rank++) {
            Trees.assertSame(source, destination(rank));
        }
    }

    @Test
    void aTreeArrivesWithPermissionsTimesLinksAndEmptyThings() throws Exception {
        Trees.file(source.resolve("large"), 5_000_011);
        Trees.file(source.resolve("empty"), 0);
        Trees.file(source.resolve("a/b/c/deep"), 70_000);
        Trees.file(source.resolve("a/program"), 10);
        Trees.file(source.resolve("a/secret"), 10);
        Files.createDirectory(source.resolve("a/nothing"));
        Files.createSymbolicLink(source.resolve("a/link"), Path.of("../large"));
        Trees.mode(source.resolve("a/program"), "rwxr-xr-x");
        Trees.mode(source.resolve("a/secret"), "r--------");
        Trees.mode(source.resolve("large"), "rw-rw-rw-");
        Trees.mode(source.resolve("a/b"), "r-xr-x---");
        Trees.age(source.resolve("large"), Trees.LONG_AGO);
        Trees.age(source.resolve("a/b/c"), Trees.LONG_AGO);
        Trees.age(source.resolve("a"), Trees.LONG_AGO);

        FileReport report = broadcastContent(DEFAULTS);

        assertThat(report.isWhole()).as(report.toString()).isTrue();
        assertThat(report.bytesSent()).isEqualTo(5_000_011 + 70_000 + 20);
        assertThat(report.ranks().get(1).filesWritten()).isEqualTo(6);
        assertEverywhereTheSame();
    }

    @Test
    void filesAndDirectoriesArriveUnderTheirLastNames() throws Exception {
        Path file = Trees.file(source.resolve("x/one"), 100);
        Path tree = source.resolve("y");
        Trees.file(tree.resolve("two"), 200);
        broadcast(DEFAULTS, file, tree);
        assertThat(Trees.describe(destination(3)).keySet()).containsExactly("one", "y", "y/two");
    }

    @Test
    void thousandsOfSmallFilesTakeSeveralBatches() throws Exception {
        for (int i = 0; i < 5000; i++) {
            Trees.file(source.resolve("d" + i % 7 + "/f" + i), i % 300);
        }
        FileReport report = broadcastContent(DEFAULTS);
        assertThat(report.isWhole()).as(report.toString()).isTrue();
        assertThat(report.ranks().get(2).filesWritten()).isEqualTo(5000);
        assertEverywhereTheSame();
    }

    @Test
    void runsOfZerosAreNeitherSentNorStored() throws Exception {
        Path sparse = source.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(60L << 20);
            file.seek(20L << 20);
            file.write(Trees.content(7, 100_000));
        }
        AtomicLong streamBytes = new AtomicLong();
        FileReport report =
                broadcastContent(DEFAULTS.withListener((_, stream) -> streamBytes.set(stream)));
        assertThat(report.isWhole()).as(report.toString()).isTrue();
        assertEverywhereTheSame();
        assertThat(streamBytes.get()).isLessThan(1 << 20);
        assertThat(allocatedBytes(destination(1).resolve("sparse"))).isLessThan(2L << 20);
    }

    private static long allocatedBytes(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return Long.parseLong(blocks.strip()) * 512;
    }

    @Test
    void whatExistsIsLeftReplacedWhenOlderOrReplaced() throws Exception {
        Path older = Trees.file(source.resolve("older-here"), 1000);
        Path newer = Trees.file(source.resolve("newer-here"), 1000);
        for (int rank = 1; rank < RANKS; rank++) {
            Path present = Trees.file(destination(rank).resolve("older-here"), 10);
            Trees.age(present, Files.getLastModifiedTime(older).toInstant().minusSeconds(10));
            present = Trees.file(destination(rank).resolve("newer-here"), 10);
            Trees.age(present, Files.getLastModifiedTime(newer).toInstant().plusSeconds(10));
        }
        assertThat(broadcastContent(DEFAULTS.withMode(WriteMode.LEAVE)).bytesSent()).isZero();
        assertThat(destination(1).resolve("older-here")).hasSize(10);

        FileReport report = broadcastContent(DEFAULTS.withMode(WriteMode.NEWER));
        assertThat(report.bytesSent()).isEqualTo(1000);
        assertThat(report.ranks().get(1).filesKept()).isEqualTo(1);
        assertThat(destination(2).resolve("older-here")).hasSize(1000);
        assertThat(destination(2).resolve("newer-here")).hasSize(10);

        assertThat(broadcastContent(DEFAULTS).bytesSent()).isEqualTo(2000);
        assertEverywhereTheSame();
    }

    @Test
    void deltaSendsOnlyWhatDiffersInSizeTimeOrDigest() throws Exception {
        Path same = Trees.file(source.resolve("same"), 3000);
        Path digest = Trees.file(source.resolve("other-digest"), 500);
        Path time = Trees.file(source.resolve("other-time"), 70);
        broadcastContent(DEFAULTS);
        byte[] forged = Files.readAllBytes(digest);
        forged[3]++;
        Path present = destination(2).resolve("other-digest");
        Files.write(present, forged);
        Trees.age(present, Files.getLastModifiedTime(digest).toInstant());
        Trees.age(destination(3).resolve("other-time"), Trees.LONG_AGO);

        FileReport report = broadcastContent(DEFAULTS.withDelta(true));

        assertThat(report.bytesSent()).isEqualTo(570);
        assertThat(report.ranks().get(1).filesKept()).isEqualTo(3);
        assertThat(report.ranks().get(2).filesKept()).isEqualTo(2);
        assertThat(same).exists();
        assertThat(time).exists();
        assertEverywhereTheSame();
    }

    @Test
    void aSharedDirectoryIsWrittenOnce() throws Exception {
        Trees.file(source.resolve("f"), 2_000_000);
        Path shared = directory.resolve("shared");
        List<FileReport> reports =
                LoopbackJob.run(
                        RANKS,
                        communicator -> {
                            FileBroadcast files = FileBroadcast.over(communicator, DEFAULTS);
                            Path own = communicator.rank() == 3 ? destination(3) : shared;
                            return communicator.rank() == 0
                                    ? files.send(List.of(source.resolve(".")))
                                    : files.receive(own, 0);
                        });
        FileReport report = reports.getFirst();
        assertThat(report.isWhole()).as(report.toString()).isTrue();
        assertThat(report.ranks())
                .extracting(RankReport::filesWritten)
                .containsExactly(1L, 1L, 0L, 1L);
        Trees.assertSame(source, shared);
        Trees.assertSame(source, destination(3));
    }

    @Test
    void memoryDoesNotGrowWithTheFile() throws Exception {
        Path large = source.resolve("large");
        byte[] block = Trees.content(3, 1 << 20);
        try (var out = Files.newOutputStream(large)) {
            for (int i = 0; i < 100; i++) {
                block[i] ^= 1;
                out.write(block);
            }
        }
        System.gc();
        long before = used();
        AtomicLong most = new AtomicLong();
        AtomicLong last = new AtomicLong(System.nanoTime());
        broadcastContent(
                DEFAULTS.withMemoryBytes(4 << 20)
                        .withListener((_, _) -> {
                            long now = System.nanoTime();
                            if (now - last.get() > Duration.ofMillis(200).toNanos()) {
                                last.set(now);
                                System.gc();
                                most.accumulateAndGet(used(), Math::max);
                            }
                        }));
        assertThat(most.get()).isPositive();
        // Four ranks with two pieces each, and what else a test needs.
        assertThat(most.get() - before).isLessThan(64 << 20);
        assertEverywhereTheSame();
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void progressEndsAtAllBytes() throws Exception {
        Trees.file(source.resolve("f"), 3_000_000);
        List<Long> heard = new ArrayList<>();
        LoopbackJob.run(
                RANKS,
                communicator -> {
                    FileBroadcastOptions options =
                            communicator.rank() == 2
                                    ? DEFAULTS.withListener((bytes, _) -> heard.add(bytes))
                                    : DEFAULTS;
                    FileBroadcast files = FileBroadcast.over(communicator, options);
                    return communicator.rank() == 0
                            ? files.send(List.of(source))
                            : files.receive(destination(communicator.rank()), 0);
                });
        assertThat(heard).isSorted().hasSizeGreaterThan(3).endsWith(3_000_000L);
        assertThat(heard.getFirst()).isZero();
    }
}
