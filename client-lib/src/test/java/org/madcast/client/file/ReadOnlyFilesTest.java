package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.nativecalls.NativeLibrary;

/** A receiver that is not root gets files which it may not open once they are complete. */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class ReadOnlyFilesTest {

    private static final int NOBODY = 65534;
    private static final List<String> MODES =
            List.of("r--r--r--", "r--------", "-w-------", "---------", "r-xr-xr-x");

    /** The system's; public since native calls can only take the shape of public interfaces. */
    public interface FileSystemUser {
        /** Calls it: as whom this one thread, and those that it starts, open files. */
        int become(int user);
    }

    @TempDir private Path directory = Path.of("");
    private Path source = Path.of("");
    private Path destination = Path.of("");

    @BeforeEach
    void makeFiles() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
        destination = Files.createDirectory(directory.resolve("destination"));
        giveAway(directory);
        giveAway(destination);
        for (String mode : MODES) {
            Trees.mode(Trees.file(source.resolve(mode), 1000), mode);
        }
        Path inner = Files.createDirectory(source.resolve("inner"));
        Trees.mode(Trees.file(inner.resolve("\u00e4"), 1000), "-w-------");
        Trees.mode(inner, "-wx------");
    }

    private static void giveAway(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", NOBODY);
    }

    /** Who starts as root becomes nobody; everybody else is an ordinary user anyway. */
    private static void becomeOrdinary() {
        int _ = NativeLibrary.linux().bind(FileSystemUser.class, "setfsuid").become(NOBODY);
    }

    private FileReport push() throws Exception {
        return LoopbackJob.run(
                        2,
                        communicator -> {
                            FileBroadcast files =
                                    FileBroadcast.over(
                                            communicator, FileBroadcastOptions.defaults());
                            if (communicator.rank() == 0) {
                                return files.send(List.of(source.resolve(".")));
                            }
                            becomeOrdinary();
                            return files.receive(destination, 0);
                        })
                .getFirst();
    }

    private void assertWhole(FileReport report) throws IOException {
        assertThat(report.isWhole()).as(report.toString()).isTrue();
        Trees.assertSame(source, destination);
    }

    @Test
    void aFewFilesThatMayNotBeOpenedArriveWhole() throws Exception {
        assertWhole(push());
    }

    @Test
    void whatAnInterruptedPushLeftCompleteIsNamedOrSentAgain() throws Exception {
        for (String mode : MODES) {
            Path file = source.resolve(mode);
            long modifiedNs = Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
            Entry entry = new Entry(Entry.Kind.FILE, mode, 1000, modifiedNs, 0, "");
            Path partial = Files.copy(file, Partials.of(destination.resolve(mode), entry));
            giveAway(partial);
            Trees.mode(partial, mode);
        }
        FileReport report = push();
        assertWhole(report);
        assertThat(report.ranks().get(1).bytesResumed()).isEqualTo(3000);
    }
}
