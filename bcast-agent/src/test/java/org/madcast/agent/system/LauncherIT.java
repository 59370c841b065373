package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;

/** What the launcher and the command line say on machines that lack something. */
class LauncherIT {

    private record Said(int code, String text) {}

    @TempDir private Path directory = Path.of("");

    /** Hiding a machine's files from one process needs a mount namespace. */
    @BeforeEach
    void root() {
        NeedsLab.assumeAvailable();
    }

    private static Said run(List<String> command, String javaHome)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", javaHome);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    @Test
    void withoutAJdkItSaysWhatToInstall() throws Exception {
        Path launcher = directory.resolve("madcast");
        Files.copy(Path.of(System.getProperty("madcast.home"), "madcast"), launcher);
        String hiding =
                "for d in /usr/lib/jvm /usr/java /opt /usr/local ~/.jdks ~/.sdkman; do"
                        + " if [ -d $d ]; then mount -t tmpfs none $d; fi; done;"
                        + " PATH=/usr/bin:/bin exec bash "
                        + launcher
                        + " demo";
        Said said = run(List.of("unshare", "-m", "sh", "-c", hiding), directory.toString());
        assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.NO_JDK.code());
        assertThat(said.text().lines())
                .singleElement()
                .asString()
                .startsWith("madcast: no JDK 25")
                .contains("JAVA_HOME");
    }

    @Test
    void withoutIpALabIsRefusedWithThePackageToInstall() throws Exception {
        List<String> hiding =
                new ArrayList<>(
                        List.of(
                                "unshare",
                                "-m",
                                "sh",
                                "-c",
                                "for d in /usr/sbin /sbin /usr/bin /bin; do"
                                        + " if [ -e $d/ip ]; then mount --bind /dev/null $d/ip; fi;"
                                        + " done; exec \"$@\"",
                                "sh"));
        Path built = Path.of(System.getProperty("madcast.home"), "bcast-agent", "target");
        hiding.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        built.resolve("bcast-agent.jar") + ":" + built.resolve("lib") + "/*",
                        "org.madcast.agent.Main",
                        "lab",
                        "up"));
        Said said = run(hiding, System.getProperty("java.home"));
        assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.LAB.code());
        assertThat(said.text().lines())
                .singleElement()
                .asString()
                .contains("'ip' is missing")
                .contains("iproute2");
    }
}
