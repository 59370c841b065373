package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;

/** {@code madcast bench-leases} against a service of its own. */
class BenchLeasesIT {

    @TempDir private Path directory = Path.of("");

    private final List<Program> started = new ArrayList<>();
    private ServingProgram serving;

    @BeforeEach
    void serve() throws IOException {
        serving = ServingProgram.start(directory);
    }

    @AfterEach
    void stop() throws Exception {
        try {
            started.forEach(Program::close);
        } finally {
            serving.end();
        }
    }

    private Program run(String... arguments) throws IOException {
        Path own = Files.createDirectory(directory.resolve("run" + started.size()));
        Program program = Program.start(own, arguments);
        started.add(program);
        return program;
    }

    @Test
    void measuresLeasesOverRestAndMadcap() throws Exception {
        JsonObject rest =
                measured(
                        "--fill",
                        "0,50",
                        "--capacity",
                        "1000",
                        "--clients",
                        "4",
                        "--time",
                        "1s",
                        "--warm-up",
                        "1s");
        assertThat(rest.getArray("rows")).hasSize(2);
        JsonObject full = rest.getArray("rows").getObject(1).getObject("atFullLoad");
        assertThat(full.getInt("cycles")).isPositive();
        assertThat(full.getDouble("p99Ms")).isGreaterThanOrEqualTo(full.getDouble("p50Ms"));
        JsonObject madcap =
                measured(
                        "--madcap",
                        "127.0.0.1:" + serving.madcapPort(),
                        "--clients",
                        "4",
                        "--time",
                        "1s",
                        "--warm-up",
                        "1s");
        assertThat(madcap.getObject("atFullLoad").getInt("exchanges")).isPositive();
        Program nobody = run("bench-leases", "--service", "http://127.0.0.1:1");
        assertThat(nobody.await()).isEqualTo(ExitCode.SERVICE.code());
        assertThat(nobody.err().lines()).hasSize(1);
    }

    private JsonObject measured(String... options) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("bench-leases", "--json", "--service", serving.uri()));
        if (!List.of(options).contains("--madcap")) {
            Path token = directory.resolve("data/operator-token");
            arguments.addAll(List.of("--token", Files.readString(token).strip()));
        }
        arguments.addAll(List.of(options));
        Program ended = run(arguments.toArray(String[]::new));
        assertThat(ended.await()).as(ended.err()).isEqualTo(ExitCode.OK.code());
        return ended.json();
    }
}
