package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.agent.ExitCode;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.service.ServiceClient;

/** {@code madcast serve}, and {@code lease}, {@code run} and an earlier library against it. */
@TestInstance(Lifecycle.PER_CLASS)
class LeaseIT {

    private static final String RANK = BroadcastingRank.class.getName();

    private final List<Program> started = new ArrayList<>();
    private Path directory = Path.of("");
    private ServingProgram serving;
    private String service = "";

    @BeforeAll
    void serve(@TempDir Path shared) throws IOException {
        directory = shared;
        serving = ServingProgram.start(directory);
        service = serving.uri();
    }

    @AfterAll
    void stop() throws Exception {
        try {
            started.forEach(Program::close);
        } finally {
            serving.end();
        }
    }

    private Program start(String... arguments) throws IOException {
        Path own = Files.createDirectory(directory.resolve("run" + started.size()));
        Program program = Program.start(own, arguments);
        started.add(program);
        return program;
    }

    private Program ended(ExitCode expected, String... arguments) throws Exception {
        Program program = start(arguments);
        int code = program.await();
        assertThat(code).as(program.err()).isEqualTo(expected.code());
        return program;
    }

    private Program lease(ExitCode expected, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("lease"));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--service", service));
        return ended(expected, words.toArray(String[]::new));
    }

    /** The agent has a token for the service, the sender on the service's machine needs none. */
    @Test
    void pushesToTheNodesThatTheServiceKnows() throws Exception {
        String agents = token(operatorToken(), "make", "agents", "--role", "job").out().strip();
        Path token = directory.resolve("agents-token");
        NodeToken.make(token);
        Path allowed = Files.createDirectory(directory.resolve("allowed"));
        Path source = Files.write(directory.resolve("pushed"), new byte[] {1, 2, 3});
        Program agent =
                start(
                        "agent",
                        "--token-file",
                        token.toString(),
                        "--listen",
                        "127.0.0.1:" + Program.freePort(),
                        "--http",
                        "off",
                        "--node",
                        "pushed-to",
                        "--interface",
                        "lo",
                        "--allow",
                        allowed.toString(),
                        "--service-token",
                        agents,
                        "--service",
                        service);
        agent.awaitSaid("MA-001");
        ServiceClient client = new ServiceClient(URI.create(service), null);
        agent.await("the service knows it", () -> known(client).contains("pushed-to"));
        Program push =
                ended(
                        ExitCode.OK,
                        "push",
                        "--json",
                        "--token-file",
                        token.toString(),
                        "--interface",
                        "lo",
                        "--service",
                        service,
                        source.toString(),
                        "@pushed-*:" + allowed);
        assertThat(push.json().getArray("nodes").getObject(0).getString("node"))
                .isEqualTo("pushed-to");
        assertThat(allowed.resolve("pushed")).hasBinaryContent(new byte[] {1, 2, 3});
    }

    private static String known(ServiceClient client) {
        try {
            return JsonWriter.string(client.get("/v1/nodes"));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String operatorToken() throws IOException {
        return Files.readString(directory.resolve("data/operator-token")).strip();
    }

    @Test
    void tokensAreMadeListedAndRevoked() throws Exception {
        String operator = operatorToken();
        String job = token(operator, "make", "by-hand", "--role", "job").out().strip();
        assertThat(token(operator, "list").out()).contains("by-hand", "first").doesNotContain(job);
        JsonObject own =
                lease(ExitCode.OK, "grant", "--job", "with-token", "--json", "--token", job).json();
        String id = own.getString("id");
        String secret = own.getString("secret");
        String other = token(operator, "make", "another", "--role", "job").out().strip();
        Program foreign =
                lease(ExitCode.SERVICE, "release", id, "--secret", secret, "--token", other);
        assertThat(foreign.err().lines()).singleElement().asString().contains("another token");
        lease(ExitCode.SERVICE, "release", id, "--force", "--token", job);
        lease(ExitCode.OK, "release", id, "--force", "--token", operator);
        Program notForJobs =
                ended(ExitCode.SERVICE, "token", "list", "--service", service, "--token", job);
        assertThat(notForJobs.err().lines()).singleElement().asString().contains("operator");
        token(operator, "revoke", "by-hand");
        Program revoked = lease(ExitCode.SERVICE, "grant", "--job", "late", "--token", job);
        assertThat(revoked.err().lines()).singleElement().asString().contains("revoked");
        ended(ExitCode.USAGE, "token", "make", "x", "--role", "king");
        ended(
                ExitCode.USAGE,
                "token",
                "make",
                "No Name",
                "--role",
                "job",
                "--service",
                service,
                "--token",
                operator);
    }

    private Program token(String operator, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("token"));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--service", service, "--token", operator));
        return ended(ExitCode.OK, words.toArray(String[]::new));
    }

    @Test
    void aLeaseIsGrantedListedRenewedAndReleased() throws Exception {
        JsonObject granted = lease(ExitCode.OK, "grant", "--job", "byhand", "--json").json();
        String id = granted.getString("id");
        String address = granted.getArray("groups").getObject(0).getString("address");
        assertThat(lease(ExitCode.OK, "list", "--job", "byhand").out()).contains(id, address);
        String secret = granted.getString("secret");
        Program wrong = lease(ExitCode.NO_SUCH_LEASE, "release", id, "--secret", "wrong");
        assertThat(wrong.err().lines()).hasSize(1);
        Program renewed = lease(ExitCode.OK, "renew", id, "--secret", secret, "--duration", "2h");
        assertThat(renewed.out()).contains(address);
        lease(ExitCode.OK, "release", id, "--secret", secret);
        assertThat(lease(ExitCode.OK, "list", "--job", "byhand").out()).contains("no leases");
        lease(ExitCode.NO_SUCH_LEASE, "renew", id, "--secret", secret);
    }

    @Test
    void aScopeThatDoesNotExistIsOneLine() throws Exception {
        Program refused = lease(ExitCode.USAGE, "grant", "--job", "j", "--scope", "nowhere");
        assertThat(refused.err().lines()).singleElement().asString().contains("scope");
    }

    @Test
    void otherProgramsAreToldTheirGroupsAsTheyWantIt() throws Exception {
        Program jgroups = lease(ExitCode.OK, "grant", "--job", "jg", "--format", "jgroups");
        assertThat(jgroups.out().strip())
                .matches(
                        "-Djgroups\\.udp\\.mcast_addr=239\\.[\\d.]+"
                                + " -Djgroups\\.udp\\.mcast_port=\\d+ -Djgroups\\.udp\\.ip_ttl=16");
        assertThat(jgroups.err()).containsPattern("lease [0-9a-f-]{36} until .*, secret ");
        Program aeron = lease(ExitCode.OK, "grant", "--job", "ae", "--format", "aeron");
        assertThat(aeron.out().strip())
                .matches("aeron:udp\\?endpoint=239\\.[\\d.]+[13579]:\\d+\\|ttl=16");
        Program hazelcast = lease(ExitCode.OK, "grant", "--job", "hz", "--format", "hazelcast");
        assertThat(hazelcast.out())
                .startsWith("hazelcast:\n  network:\n    join:\n")
                .containsPattern("multicast-group: 239\\.")
                .containsPattern("multicast-port: \\d+");
        Program env = lease(ExitCode.OK, "grant", "--job", "env", "--format", "env");
        assertThat(env.out())
                .containsPattern("(?m)^export MADCAST_GROUP='239\\.[\\d.]+:\\d+'$")
                .doesNotContain("MADCAST_GROUPS");
        Program two =
                lease(ExitCode.OK, "grant", "--job", "two", "--count", "2", "--format", "env");
        assertThat(two.out())
                .containsPattern(
                        "(?m)^export MADCAST_GROUP='(239\\.[\\d.]+:\\d+)'\n"
                                + "export MADCAST_GROUPS='\\1 239\\.[\\d.]+:\\d+'$");
        lease(ExitCode.USAGE, "grant", "--job", "both", "--format", "aeron", "--json");
    }

    @Test
    void ranksWithoutAServiceShareAGroupThatRankZeroLeasedByMadcap() throws Exception {
        String group = groupByMadcap();
        // On a busy machine the server may need longer than the two seconds that rank 0 waits.
        for (int i = 0; i < 4 && group.startsWith("RANDOM"); i++) {
            group = groupByMadcap();
        }
        assertThat(group).matches("MADCAP 239\\.255\\..*");
        assertThat(lease(ExitCode.OK, "list", "--job", "madcap").out()).contains("no leases");
    }

    private String groupByMadcap() throws Exception {
        Program job =
                ended(
                        ExitCode.OK,
                        "run",
                        "-n",
                        "3",
                        "--",
                        "env",
                        "MADCAST_MADCAP=127.0.0.1:" + serving.madcapPort(),
                        "java",
                        RANK,
                        "1000",
                        "1000",
                        "1000");
        List<String> groups =
                job.out()
                        .lines()
                        .map(line -> line.replaceAll("^\\[.\\] |rank . ", ""))
                        .distinct()
                        .toList();
        assertThat(groups).hasSize(1);
        return groups.getFirst();
    }

    @Test
    void ranksOfAJobShareALeasedGroupAndGiveItBack() throws Exception {
        Program job =
                ended(
                        ExitCode.OK,
                        "run",
                        "-n",
                        "3",
                        "--job",
                        "together",
                        "--service",
                        service,
                        "--",
                        "java",
                        RANK,
                        "1000",
                        "1000",
                        "1000");
        assertOneLeasedGroup(job.out());
        assertThat(lease(ExitCode.OK, "list", "--job", "together").out()).contains("no leases");
    }

    @Test
    void ranksThatDisagreeOnTheSizeAreToldBothSizes() throws Exception {
        Program job =
                start("run", "-n", "2", "--service", service, "--", "java", RANK, "100", "200");
        assertThat(job.await()).isEqualTo(BroadcastingRank.FAILED);
        assertThat(job.err()).contains("MismatchException").contains("100").contains("200");
        job.assertNothingIsLeft();
    }

    @Test
    void aRankThatIsThereTwiceIsToldWhoHasIt() throws Exception {
        Program job =
                start(
                        "run",
                        "-n",
                        "2",
                        "--service",
                        service,
                        "--",
                        "env",
                        "MADCAST_RANK=0",
                        "java",
                        RANK,
                        "1",
                        "1");
        assertThat(job.await()).isEqualTo(BroadcastingRank.FAILED);
        assertThat(job.err()).containsPattern("rank 0 .* is taken by .*:\\d+");
        job.assertNothingIsLeft();
    }

    @Test
    void aRankThatDoesNotComeIsNamed() throws Exception {
        Program job =
                start(
                        "run",
                        "-n",
                        "2",
                        "--service",
                        service,
                        "--",
                        "sh",
                        "-c",
                        "[ $MADCAST_RANK = 1 ] || MADCAST_JOIN_TIMEOUT=3s exec java "
                                + RANK
                                + " 1 1");
        assertThat(job.await()).isEqualTo(BroadcastingRank.FAILED);
        assertThat(job.err()).contains("rank 1 did not register within");
        job.assertNothingIsLeft();
    }

    @Test
    void aRankOutOfRangeIsRefusedWithTheRange() throws Exception {
        Program job =
                start("run", "-n", "2", "--", "env", "MADCAST_RANK=7", "java", RANK, "1", "1");
        assertThat(job.await()).isEqualTo(BroadcastingRank.FAILED);
        assertThat(job.err()).contains("MADCAST_RANK = '7' is not a number from 0 to 1");
    }

    private NeighbourJob neighbours(String ranks, String does) throws IOException {
        Path own = Files.createDirectory(directory.resolve("neighbours-" + ranks + "-" + does));
        NeighbourJob job = NeighbourJob.start(own, service, ranks, does);
        started.add(job.run());
        return job;
    }

    /**
     * A job of the earlier library leases from today's service, meets, broadcasts, exchanges
     * messages, reports and gives back; so does one of both libraries, as far as broadcasts go.
     */
    @ParameterizedTest
    @CsvSource({"ee, both", "te, broadcasts", "et, broadcasts"})
    void ranksOfTheEarlierLibraryUseTodaysService(String ranks, String does) throws Exception {
        NeighbourJob job = neighbours(ranks, does);
        assertThat(job.run().await()).as(job.run().err()).isZero();
        assertOneLeasedGroup(job.run().out());
        assertThat(job.reportedBroadcasts()).isEqualTo(4);
        assertThat(job.leases()).isZero();
    }

    /** Their messages have another version; today's rank says so, and the other loses it. */
    @Test
    void messagesBetweenTheLibrariesAreRefusedByName() throws Exception {
        NeighbourJob job = neighbours("te", NeighbourRank.REFUSED);
        assertThat(job.run().await()).as(job.run().err()).isZero();
        assertThat(job.run().out())
                .contains(
                        "rank 1 is lost: there is no connection to it: it runs another version of"
                                + " the library, whose messages have version 1 and this rank's 2")
                .contains("rank 0 is lost");
        assertThat(job.leases()).isZero();
    }

    /** All ranks say that they have the same group, one that the service leases. */
    private static void assertOneLeasedGroup(String said) {
        assertThat(said.lines().map(line -> line.replaceAll("^\\[.\\] |rank . ", "")).distinct())
                .singleElement()
                .asString()
                .matches("LEASED 239\\.19[2-5]\\..*");
    }
}
