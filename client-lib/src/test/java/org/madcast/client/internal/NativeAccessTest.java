package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.madcast.client.Communicator;

/** A program that does not enable native access, started in a JVM of its own. */
@EnabledOnOs(OS.LINUX)
class NativeAccessTest {

    @Test
    void aProgramThatMayNotCallNativeCodeGetsPortableSockets() throws Exception {
        assertThat(run("--illegal-native-access=deny")).endsWith("nio\n");
    }

    @Test
    void aProgramThatMayCallNativeCodeGetsTheFasterSockets() throws Exception {
        assertThat(run("--enable-native-access=ALL-UNNAMED")).endsWith("native\n");
    }

    private static String run(String option) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", option));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(OneRank.class.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("MADCAST_"));
        builder.environment().put("MADCAST_JOB_ID", "native-access");
        builder.environment().put("MADCAST_RANK", "0");
        builder.environment().put("MADCAST_SIZE", "1");
        builder.environment().put("MADCAST_GROUP", "239.255.77.31:5300");
        builder.environment().put("MADCAST_INTERFACE", "lo");
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Prints which sockets its communicator got. */
    static final class OneRank {

        private OneRank() {}

        public static void main(String[] arguments) {
            try (Communicator world = Communicator.fromEnvironment()) {
                System.out.println(world.info().local().socketPath());
            }
        }
    }
}
