package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/**
 * Two replicas that cannot reach each other, only the database; then one that cannot reach that
 * either. The second replica is a process of its own, whose sockets can be looked at.
 */
class ReplicasApartTest {

    private static final String ESTABLISHED = "01";

    private static CuttableProxy proxy;
    private static ServiceInProcess far;

    private final RunningService service = RunningService.shared();
    private final Rest near = service.rest();

    @BeforeAll
    static void start() throws IOException {
        RunningService.shared();
        proxy = new CuttableProxy(RunningService.databasePort());
        far =
                ServiceInProcess.start(
                        RunningService.newDirectory("apart"),
                        RunningService.argumentsThrough(proxy.port()).toArray(String[]::new));
    }

    @AfterAll
    static void end() throws IOException {
        far.close();
        proxy.close();
    }

    /** So that a partition between them can have no effect. */
    @Test
    void aReplicaSpeaksWithItsDatabaseAndWithNobodyElse() throws IOException {
        String scope = service.addScope(4, 0);
        assertThat(grant(far.rest(), scope).status()).isEqualTo(201);
        assertThat(grant(near, scope).status()).isEqualTo(201);
        assertThat(portsSpokenTo(far.pid())).containsExactly(proxy.port());
    }

    @Test
    void eachServesWhatTheOtherGranted() {
        String scope = service.addScope(8, 0);
        Set<String> addresses = new HashSet<>();
        List<Answer> leases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Answer lease = grant(i % 2 == 0 ? near : far.rest(), scope);
            assertThat(lease.status()).as(lease.text()).isEqualTo(201);
            assertThat(addresses.add(address(lease))).isTrue();
            leases.add(lease);
        }
        assertThat(grant(far.rest(), scope).problem()).isEqualTo("pool-exhausted");
        for (int i = 0; i < 8; i++) {
            Rest other = i % 2 == 0 ? far.rest() : near;
            assertThat(renew(other, leases.get(i)).status()).isEqualTo(200);
            assertThat(release(other, leases.get(i)).status()).isEqualTo(204);
        }
    }

    @Test
    void oneThatIsCutOffRefusesAndTheOtherGoesOnWithAllLeases() throws IOException {
        String scope = service.addScope(6, 0);
        List<Answer> leases = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            leases.add(grant(far.rest(), scope));
        }
        proxy.cut();
        assertThat(grant(far.rest(), scope).problem()).isEqualTo("store-unavailable");
        assertThat(release(far.rest(), leases.getFirst()).problem()).isEqualTo("store-unavailable");
        Set<String> addresses = new HashSet<>();
        leases.forEach(it -> addresses.add(address(it)));
        for (int i = 0; i < 3; i++) {
            assertThat(addresses.add(address(grant(near, scope)))).as("granted twice").isTrue();
        }
        assertThat(grant(near, scope).problem()).isEqualTo("pool-exhausted");
        assertThat(renew(near, leases.getFirst()).status()).isEqualTo(200);
        assertThat(release(near, leases.getLast()).status()).isEqualTo(204);
        proxy.restore();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !grant(far.rest(), "nowhere").problem().equals("store-unavailable"));
        // What the other one did meanwhile it knows: the one address that was given back is free.
        assertThat(release(far.rest(), leases.getLast()).problem()).isEqualTo("lease-ended");
        assertThat(address(grant(far.rest(), scope))).isEqualTo(address(leases.getLast()));
        assertThat(grant(far.rest(), scope).problem()).isEqualTo("pool-exhausted");
    }

    /** The ports at the other end of TCP connections that a process has opened. */
    private static Set<Integer> portsSpokenTo(long pid) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            open.forEach(it -> sockets.add(target(it)));
        }
        Set<Integer> spokenTo = new TreeSet<>();
        Set<Integer> listening = new TreeSet<>();
        List<String> lines = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path path = Path.of("/proc/" + pid + "/net/" + table);
            Files.readAllLines(path).stream().skip(1).forEach(lines::add);
        }
        for (String line : lines) {
            String[] fields = line.strip().split(" +", -1);
            if (!sockets.contains("socket:[" + fields[9] + "]")) {
                continue;
            }
            if (fields[3].equals(ESTABLISHED)) {
                spokenTo.add(port(fields[2]));
            } else {
                listening.add(port(fields[1]));
            }
        }
        // Who came to it: their end has a port that was given to them, ours is where we listen.
        for (String line : lines) {
            String[] fields = line.strip().split(" +", -1);
            if (fields[3].equals(ESTABLISHED) && listening.contains(port(fields[1]))) {
                spokenTo.remove(port(fields[2]));
            }
        }
        return spokenTo;
    }

    private static int port(String place) {
        return Integer.parseInt(place.substring(place.indexOf(':') + 1), 16);
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    private static Answer grant(Rest rest, String scope) {
        return rest.post("/v1/leases", "{\"job\":\"apart\",\"scope\":\"%s\"}".formatted(scope));
    }

    private static String address(Answer lease) {
        return lease.json().at("/groups/0/address").asString();
    }

    private static Answer renew(Rest rest, Answer lease) {
        return rest.post(
                "/v1/leases/" + lease.string("id") + "/renewal",
                "{\"durationSeconds\":7200}",
                "Madcast-Lease-Secret",
                lease.string("secret"));
    }

    private static Answer release(Rest rest, Answer lease) {
        return rest.delete(
                "/v1/leases/" + lease.string("id"), "Madcast-Lease-Secret", lease.string("secret"));
    }
}
