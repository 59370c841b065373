package org.madcast.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.madcast.agent.Outcome;

/** {@code madcast run --map}, with a script in the place of ssh. */
@Timeout(180)
class RunMapTest {

    @TempDir private Path directory = Path.of("");

    /** Pairs of ranks exchange; each rank has sent half. */
    private void profiles(int ranks, int... pairs) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("prof"));
        for (int rank = 0; rank < ranks; rank++) {
            int partner = -1;
            for (int i = 0; i < pairs.length; i++) {
                partner = pairs[i] == rank ? pairs[i ^ 1] : partner;
            }
            String peers = partner < 0 ? "[]" : "[[" + partner + ",1,524288,0]]";
            Files.writeString(
                    folder.resolve("rank-" + rank + ".jsonl"),
                    "{\"profile\":1,\"rank\":%d,\"size\":%d,\"peers\":%s}\n"
                            .formatted(rank, ranks, peers));
        }
    }

    private Outcome run(int ranks, String hosts, String... options) throws IOException {
        Path script = directory.resolve("fake-ssh");
        Files.writeString(
                script, "#!/bin/sh\nREMOTE=$1; export REMOTE; shift; exec sh -c \"$*\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        List<String> words = new ArrayList<>(List.of("run", "-n", "" + ranks));
        if (!hosts.isEmpty()) {
            Path file = Files.writeString(directory.resolve("hosts"), hosts);
            words.addAll(List.of("--hostfile", file.toString(), "--ssh", script.toString()));
        }
        words.addAll(List.of("--map", directory.resolve("prof").toString()));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", "echo $MADCAST_RANK $REMOTE ${MADCAST_ROOT%:*}"));
        return Outcome.of(words.toArray(String[]::new));
    }

    /** The host of each rank; all of them meet at that of rank 0. */
    private static Map<Integer, String> places(Outcome ran) {
        assertThat(ran.code()).as(ran.err()).isZero();
        Map<Integer, String> places = new TreeMap<>();
        ran.out()
                .lines()
                .map(line -> line.split(" ", -1))
                .forEach(words -> places.put(Integer.valueOf(words[0]), words[1]));
        assertThat(ran.out().lines()).allMatch(line -> line.endsWith(" " + places.get(0)));
        return places;
    }

    @Test
    void ranksThatExchangeShareAHost() throws IOException {
        profiles(4, 0, 3, 1, 2);
        Outcome ran = run(4, "n1 slots=2\nn2 slots=2\n");
        Map<Integer, String> places = places(ran);
        assertThat(places.values()).containsOnly("n1", "n2");
        assertThat(places.get(0)).isEqualTo(places.get(3)).isNotEqualTo(places.get(1));
        assertThat(places.get(1)).isEqualTo(places.get(2));
        assertThat(ran.err())
                .isEqualTo("madcast: ranks are mapped: 0 B between hosts instead of 2 MiB\n");
    }

    @Test
    void sparesStayBehind() throws IOException {
        profiles(2, 0, 1);
        assertThat(places(run(2, "n1\nn2\nn3\n", "--spares", "1")))
                .isEqualTo(Map.of(0, "n1", 1, "n2", 2, "n3"));
        profiles(3, 0, 2);
        assertThat(places(run(2, "n1 slots=2\nn3\n", "--spares", "1")))
                .isEqualTo(Map.of(0, "n1", 2, "n1", 1, "n3"));
    }

    /** The topology that was pushed last lacks a host; the first has all, one by its address. */
    @Test
    void withATopologyOfTheServiceTheyAreOnOneSwitch() throws IOException {
        Map<String, String> answers =
                Map.of(
                        "/v1/topologies",
                        """
                        {"items": [{"name": "old", "madeAt": "2026-01-01T00:00:00Z"},
                                   {"name": "new", "madeAt": "2026-01-02T00:00:00Z"}]}
                        """,
                        "/v1/topologies/new",
                        """
                        {"switches": ["s0"], "cables": [],
                         "hosts": [{"at": "s0", "bitsPerSecond": 1000, "names": ["n1", "n2"]}]}
                        """,
                        "/v1/topologies/old",
                        """
                        {"switches": ["s0", "s1"],
                         "cables": [{"one": "s0", "other": "s1", "bitsPerSecond": 1000}],
                         "hosts": [{"at": "s0", "bitsPerSecond": 1000, "names": ["n1", "n3"]},
                                   {"at": "s1", "bitsPerSecond": 1000, "names": ["n2", "four"]}],
                         "addresses": {"four": ["10.0.0.4"]}}
                        """);
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(
                "/",
                exchange -> {
                    byte[] answer =
                            answers.getOrDefault(exchange.getRequestURI().getPath(), "{}")
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        http.start();
        try {
            profiles(4, 0, 1, 2, 3);
            String service = "http://127.0.0.1:" + http.getAddress().getPort();
            Outcome ran = run(4, "n1.example.org\nn2\nn3\n10.0.0.4\n", "--service", service);
            Map<Integer, String> places = places(ran);
            Set<String> one = Set.of("n1.example.org", "n3");
            assertThat(one.contains(places.get(0))).isEqualTo(one.contains(places.get(1)));
            assertThat(ran.err())
                    .isEqualTo(
                            "madcast: ranks are mapped: 2 MiB between hosts instead of 2 MiB,"
                                    + " 0 B between switches instead of 2 MiB\n");
        } finally {
            http.stop(0);
        }
    }

    @Test
    void aFileMustHaveAllHostsAndNoRanks() throws IOException {
        List<List<String>> hosts = List.of(List.of("n1"), List.of("n2"));
        Path file = directory.resolve("net");
        Files.writeString(file, "switch s\nhost n1 s 1gbit\nhost n2 s 100mbit\n");
        KnownTopology known = KnownTopology.read(file, hosts);
        assertThat(known.distance().between(0, 1)).isEqualTo(11);
        assertThat(known.distance().between(1, 1)).isZero();
        assertThat(known.areNeighbours(0, 1)).isTrue();
        Files.writeString(file, "switch s\nhost n1 s\n");
        assertThat(refusal(file, hosts)).isEqualTo(file + " has no host n2");
        Files.writeString(file, "switch s\nhost n1 s\nhost n2 s\nrank 0 n1\nrank 1 n2\n");
        assertThat(refusal(file, hosts)).contains("without 'rank' lines");
    }

    private static String refusal(Path file, List<List<String>> hosts) {
        return String.valueOf(catchThrowable(() -> KnownTopology.read(file, hosts)).getMessage());
    }

    @Test
    void whatCannotBeIsRefusedInOneLine() throws IOException {
        assertRefused(run(2, "n1\nn2\n"), ExitCode.NO_INPUT, "it does not exist");
        profiles(3, 0, 1);
        assertRefused(run(2, "n1\nn2\n"), ExitCode.USAGE, "a job with -n 3, not 2");
        assertRefused(run(3, ""), ExitCode.USAGE, "--map needs several hosts");
        Files.delete(directory.resolve("prof/rank-1.jsonl"));
        assertRefused(run(3, "n1\nn2\n"), ExitCode.NO_INPUT, "profiles of 2 of 3 ranks");
    }

    private static void assertRefused(Outcome refused, ExitCode code, String why) {
        assertThat(refused.code()).isEqualTo(code.code());
        assertThat(refused.err().lines()).singleElement().asString().contains(why);
        assertThat(refused.out()).isEmpty();
    }
}
