package org.madcast.nativecalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is bound can be called; what cannot be bound is a value with the reason. */
class NativeLibraryTest {

    private static final int EBADF = 9;
    private static final int O_WRONLY_CREAT = 0101;

    @TempDir private Path directory = Path.of("");

    /** {@code int abs(int)}. */
    public interface Absolute {
        /** Calls. */
        int call(int number);
    }

    /** No function of C takes such a thing. */
    public interface Odd {
        /** Calls. */
        int call(String text);
    }

    @Test
    void aFunctionTakesTheTypesOfItsInterface() {
        assertThat(NativeLibrary.system().bind(Absolute.class, "abs").call(-7)).isEqualTo(7);
        assertThatThrownBy(() -> NativeLibrary.system().bind(Odd.class, "abs"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("String");
    }

    @Test
    void aMissingFunctionIsAValueThatNamesIt() {
        Loaded<Absolute> loaded =
                Loaded.of(NativeLibrary.system(), c -> c.bind(Absolute.class, "no_such_function"));
        assertThat(loaded.isPresent()).isFalse();
        assertThat(loaded.problem()).isEqualTo("this system has no function no_such_function");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(loaded::get)
                .withMessage(loaded.problem());
    }

    @Test
    void aMissingLibraryIsAValueThatNamesIt() {
        Loaded<Absolute> loaded =
                Loaded.of(
                        NativeLibrary.named("libnone.so.1", "libnone.so.2"),
                        c -> c.bind(Absolute.class, "abs"));
        assertThat(loaded.problem()).isEqualTo("this system has no libnone.so.1 or libnone.so.2");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFailedCallReturnsTheNegatedErrorNumber() {
        LinuxCalls calls = new LinuxCalls(Arena.ofAuto());
        assertThat(calls.close(-1)).isEqualTo(-EBADF);
        assertThatThrownBy(() -> LinuxCalls.check("closing", calls.close(-1)))
                .isInstanceOf(IOException.class)
                .hasMessage("closing failed: error 9 of the system");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void filesAreWrittenAndBroughtToDisk() throws IOException {
        FileCalls calls = FileCalls.load().get();
        try (Arena arena = Arena.ofConfined()) {
            Path file = directory.resolve("file");
            int fd =
                    calls.openat()
                            .call(-100, arena.allocateFrom(file.toString()), O_WRONLY_CREAT, 0600);
            MemorySegment content = arena.allocateFrom("abc");
            assertThat(calls.write().call(fd, content, 3)).isEqualTo(3);
            assertThat(calls.close().call(fd)).isZero();
            assertThat(Files.readString(file)).isEqualTo("abc");
        }
        assertThat(FileCalls.syncFileSystem(directory)).isTrue();
        assertThat(FileCalls.syncFileSystem(directory.resolve("none"))).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aNamespaceThatIsNoneIsNamed() throws IOException {
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> ProcessCalls.enterNetworkNamespace(none))
                .isInstanceOf(IOException.class)
                .hasMessage("open " + none + ": errno 2 (no such namespace)");
        Path plain = Files.createFile(directory.resolve("plain"));
        assertThatThrownBy(() -> ProcessCalls.enterNetworkNamespace(plain))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("setns " + plain);
    }

    /** Denied is not an exception: every user of this module falls back, without a warning. */
    @Test
    void withoutNativeAccessEachLoadIsAValueAndTheJvmIsSilent() throws Exception {
        for (String mode : List.of("deny", "warn")) {
            assertThat(run("--illegal-native-access=" + mode))
                    .containsExactly(
                            "false needs java --enable-native-access=ALL-UNNAMED,"
                                    + " or =org.madcast.nativecalls",
                            "false false");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void withNativeAccessTheCallsArePresent() throws Exception {
        assertThat(run("--enable-native-access=ALL-UNNAMED").getFirst().strip()).isEqualTo("true");
    }

    /** What {@link Probe} prints in a JVM with this option; its errors too. */
    private List<String> run(String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        command.add(option);
        command.add("-cp");
        command.add(System.getProperty("java.class.path", ""));
        command.add(Probe.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    /** A program that tries everything. */
    static final class Probe {

        private Probe() {}

        static void main(String[] arguments) {
            System.out.println(LinuxCalls.areAvailable() + " " + LinuxCalls.problem());
            System.out.println(
                    FileCalls.load().isPresent() + " " + NativeSha256.create().isPresent());
            ProcessCalls.prepareExit();
        }
    }
}
