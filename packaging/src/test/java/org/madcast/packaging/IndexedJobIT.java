package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * helm/examples/indexed-job.yaml without Kubernetes: as many processes as it has completions, with
 * its command, its environment and what Kubernetes would add, run the program of the README.
 */
@Tag("slow")
class IndexedJobIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern HELLO =
            Pattern.compile("```java\\n(.*?public class Hello .*?)```", Pattern.DOTALL);
    private static final Pattern RANK =
            Pattern.compile("rank (\\d+) of (\\d+) has 316.\\d+, over 239\\.([0-9.:]+)");

    @TempDir private Path directory = Path.of("");

    @Test
    void itsRanksFindEachOtherAndShareOneLeasedGroup() throws Exception {
        JsonObject spec = job();
        int size = spec.get("completions").getAsInt();
        List<Path> outputs = new ArrayList<>();
        List<Process> ranks = new ArrayList<>();
        try (RunningService service = new RunningService(directory.resolve("service"))) {
            Map<String, String> environment = environment(spec, service.service().port());
            for (int rank = 0; rank < size; rank++) {
                outputs.add(directory.resolve("rank-" + rank));
                ranks.add(start(spec, environment, rank, outputs.getLast()));
            }
            List<String> groups = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                Process process = ranks.get(rank);
                Waiting.until("end of rank " + rank, LIMIT, () -> !process.isAlive());
                String said = Files.readString(outputs.get(rank));
                Matcher matcher = RANK.matcher(said);
                assertThat(matcher.find()).as(said).isTrue();
                assertThat(matcher.group(1)).isEqualTo(Integer.toString(rank));
                assertThat(matcher.group(2)).isEqualTo(Integer.toString(size));
                groups.add(matcher.group(3));
            }
            assertThat(groups).hasSize(size).containsOnly(groups.getFirst());
            String uid = environment.getOrDefault("MADCAST_JOB_ID", "");
            assertThat(service.service().leases(uid, "RELEASED")).isEqualTo(1);
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private Process start(JsonObject spec, Map<String, String> environment, int rank, Path output)
            throws Exception {
        Program program = new Program().with("JOB_COMPLETION_INDEX", Integer.toString(rank));
        environment.forEach(program::with);
        return program.start(output, command(spec));
    }

    /** What is in the image, and mounted into the container, is found here. */
    private List<String> command(JsonObject spec) throws Exception {
        Matcher hello = HELLO.matcher(Files.readString(Project.path("README.md")));
        assertThat(hello.find()).isTrue();
        Path source = Files.writeString(directory.resolve("Hello.java"), hello.group(1));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return container(spec).getAsJsonArray("command").asList().stream()
                .map(JsonElement::getAsString)
                .map(it -> it.equals("java") ? java.toString() : it)
                .map(it ->
                        it.replace("/opt/madcast/", Project.path("bcast-agent/target/lib") + "/"))
                .map(it -> it.replace("/hello/Hello.java", source.toString()))
                .toList();
    }

    private static Map<String, String> environment(JsonObject spec, int port) {
        Map<String, String> environment = new HashMap<>();
        for (JsonElement element : container(spec).getAsJsonArray("env")) {
            JsonObject variable = element.getAsJsonObject();
            // The only reference is that to the label with the job's identifier.
            environment.put(
                    variable.get("name").getAsString(),
                    variable.has("value")
                            ? variable.get("value").getAsString()
                            : UUID.randomUUID().toString());
        }
        assertThat(environment)
                .hasEntrySatisfying(
                        "MADCAST_SERVICE",
                        it -> assertThat(it).matches("http://[a-z.-]+\\.svc:8730"));
        environment.put("MADCAST_SERVICE", "http://127.0.0.1:" + port);
        return environment;
    }

    private static JsonObject job() {
        String yaml = Project.read(Project.path("helm/examples/indexed-job.yaml"));
        return Chart.objects(yaml).getFirst().getAsJsonObject("spec");
    }

    private static JsonObject container(JsonObject spec) {
        return spec.getAsJsonObject("template")
                .getAsJsonObject("spec")
                .getAsJsonArray("containers")
                .get(0)
                .getAsJsonObject();
    }
}
