package org.madcast.agent.system;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.madcast.agent.service.ServiceClient;

/**
 * A job at a service whose ranks run {@link NeighbourRank} with today's library or with an earlier
 * one, which {@code src/test/resources/earlier} has as an archive.
 */
final class NeighbourJob implements AutoCloseable {

    private static final Path BUILT =
            Path.of(System.getProperty("madcast.home"), "bcast-agent", "target");

    private final Program run;
    private final String name;
    private final ServiceClient service;

    private NeighbourJob(Program run, String name, URI service) {
        this.run = run;
        this.name = name;
        this.service = new ServiceClient(service, null);
    }

    /**
     * Starts one.
     *
     * @param directory an empty one
     * @param ranks a letter for each rank, {@code t} for today's library, {@code e} for the earlier
     *     one
     * @param does what {@link NeighbourRank} is told
     */
    static NeighbourJob start(Path directory, String service, String ranks, String does)
            throws IOException {
        String name = "neighbours-" + ranks + "-" + does;
        String size = Integer.toString(ranks.length());
        String script =
                "library=$(echo $0 | cut -c$((MADCAST_RANK + 1)));"
                        + " [ $library = t ] && path=$2 || path=$3; exec $1 $4 -cp $path $5 $6";
        Program run =
                Program.startWith(
                        directory,
                        Map.of("MADCAST_DEATH_TIMEOUT", "2s"),
                        List.of(
                                "run",
                                "-n",
                                size,
                                "--job",
                                name,
                                "--service",
                                service,
                                "--",
                                "sh",
                                "-c",
                                script,
                                ranks,
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                BUILT.resolve("test-classes") + ":" + BUILT.resolve("lib") + "/*",
                                BUILT.resolve("test-classes") + ":" + earlier(),
                                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                                        + " --enable-native-access=ALL-UNNAMED",
                                NeighbourRank.class.getName(),
                                does));
        return new NeighbourJob(run, name, URI.create(service));
    }

    /** The earlier library, and of today what it needs of others. */
    private static String earlier() throws IOException {
        try (Stream<Path> files = Files.list(BUILT.resolve("test-classes/earlier"))) {
            Path archive =
                    files.filter(file -> file.toString().endsWith(".jar")).findAny().orElseThrow();
            return archive + ":" + BUILT.resolve("lib/nanojson.jar");
        }
    }

    Program run() {
        return run;
    }

    /** How many broadcasts the ranks have reported to the service, each rank each of them. */
    long reportedBroadcasts() throws InterruptedException {
        JsonArray found = service.get("/v1/communicators?ended=true&job=" + name).getArray("items");
        if (found.size() != 1) {
            throw new IllegalStateException("communicators of the job: " + found);
        }
        String id = found.getObject(0).getString("id");
        return service.get("/v1/communicators/" + id + "/statistics").getArray("sites").stream()
                .mapToLong(site -> ((JsonObject) site).getLong("broadcasts"))
                .sum();
    }

    /** How many leases the job holds. */
    long leases() throws InterruptedException {
        return service.get("/v1/leases?state=ACTIVE&job=" + name).getLong("total");
    }

    @Override
    public void close() {
        run.close();
    }
}
