package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.madcast.agent.service.ServiceProcess;
import org.madcast.lab.LinkRate;

/** {@code madcast probe} finds what the lab was given, at the host to which it was given. */
@Timeout(300)
class ProbeIT {

    private static final Path IPV4 = Path.of("/proc/sys/net/ipv4");
    private static final String GROUP = "239.192.9.9";
    private static final String MULTICAST = "ip daddr 224.0.0.0/4 ip protocol udp";

    @TempDir private Path directory = Path.of("");
    private Optional<ProbeLab> open = Optional.empty();

    @BeforeEach
    void needsALab() {
        NeedsLab.assumeAvailable();
    }

    @AfterEach
    void close() {
        open.ifPresent(ProbeLab::close);
    }

    private ProbeLab lab(int hosts) {
        ProbeLab made = ProbeLab.up(directory, hosts);
        open = Optional.of(made);
        return made;
    }

    private static void startAgents(ProbeLab lab, int... nodes) throws IOException {
        List<Program> agents = new java.util.ArrayList<>();
        for (int node : nodes) {
            agents.add(lab.startAgent(node));
        }
        agents.forEach(agent -> agent.awaitSaid("MA-001"));
    }

    /** The names of the nodes, by trouble. */
    private static Map<String, String> troubles(JsonObject result) {
        Map<String, String> troubles = new TreeMap<>();
        for (Object found : result.getArray("findings")) {
            JsonObject finding = (JsonObject) found;
            assertThat(finding.getString("cure")).isNotBlank();
            troubles.merge(
                    finding.getString("trouble"),
                    finding.getArray("nodes").toString(),
                    (one, other) -> one + other);
        }
        return troubles;
    }

    private static String nodes(String... names) {
        return new JsonArray(List.of(names)).toString();
    }

    @Test
    void eachTroubleIsFoundAtItsHost() throws Exception {
        ProbeLab lab = lab(9);
        startAgents(lab, 1, 2, 3, 4, 5, 6);
        lab.dropTowards(2, "ip daddr " + GROUP + " ip protocol udp");
        lab.dropTowards(3, "ip protocol udp udp length > 1100");
        lab.lab().setRate(4, Optional.of(LinkRate.parse("10mbit")));
        lab.dropTowards(5, MULTICAST);
        lab.dropTowards(6, MULTICAST + " ip ttl < 4");
        ProbeLab.run(
                List.of("ip", "-n", lab.lab().host(7).namespace(), "-batch", "-"),
                "link add side type bridge\naddr add 10.99.0.1/24 dev side\nlink set side up\n");
        lab.startAgent(7, "--interface", "side").awaitSaid("MA-001");
        lab.startAgent(8, "--interface", "nosuch").awaitSaid("MA-001");

        Program probe = lab.start("probe", 8, "--group", GROUP + ":5009");
        assertThat(probe.await()).as(probe.err()).isEqualTo(ExitCode.TROUBLE.code());
        assertThat(troubles(probe.json()))
                .as(probe.out())
                .containsOnly(
                        Map.entry("blocked-group", nodes("h2")),
                        Map.entry("large-datagrams-dropped", nodes("h3")),
                        Map.entry("slow-receiver", nodes("h4")),
                        Map.entry("asymmetric", nodes("h5")),
                        Map.entry("ttl-too-small", nodes("h6")),
                        Map.entry("wrong-interface", nodes("h7")),
                        Map.entry("unreachable", nodes(lab.address(8))));
        assertThat(probe.out())
                .contains("MADCAST_DATAGRAM_SIZE=1024")
                .contains("MADCAST_TTL=4")
                .contains("--interface eth0");
    }

    @Test
    void aNetworkThatIsWellIsSaidToBeAndSmallBuffersAreNot() throws Exception {
        ProbeLab lab = lab(4);
        startAgents(lab, 1, 2, 3);
        Program probe = lab.start("probe", 3);
        assertThat(probe.await()).as(probe.out() + probe.err()).isEqualTo(ExitCode.OK.code());
        assertThat(probe.json().getBoolean("ok")).isTrue();
        for (Object node : probe.json().getArray("nodes")) {
            assertThat(((JsonObject) node).getArray("hears")).hasSize(3);
            assertThat(((JsonObject) node).getInt("largestDatagramBytes")).isEqualTo(1472);
        }

        Program small = lab.start("probe", 3, "--buffer", "64KiB", "--rate", "10mbit");
        assertThat(small.await()).as(small.err()).isEqualTo(ExitCode.TROUBLE.code());
        assertThat(troubles(small.json()))
                .containsEntry(
                        "small-receive-buffer",
                        nodes("this machine") + nodes("h1") + nodes("h2") + nodes("h3"));
    }

    @Test
    void aNodeWhoseTcpPacesIsNamed() throws Exception {
        assumeTrue(
                Files.readString(IPV4.resolve("tcp_available_congestion_control")).contains("bbr"),
                "this kernel has no bbr");
        ProbeLab lab = lab(3);
        setCongestionControl(lab, 0, "reno");
        setCongestionControl(lab, 1, "bbr");
        setCongestionControl(lab, 2, "reno");
        startAgents(lab, 1, 2);
        Program probe = lab.start("probe", 2, "--rate", "10mbit");
        assertThat(probe.await()).as(probe.err()).isEqualTo(ExitCode.TROUBLE.code());
        assertThat(troubles(probe.json()))
                .as(probe.out())
                .containsOnly(Map.entry("paced-tcp", nodes("h1")));
        assertThat(probe.json().getArray("nodes"))
                .extracting(node -> ((JsonObject) node).getString("congestionControl"))
                .containsExactly("reno", "bbr", "reno");
    }

    private static void setCongestionControl(ProbeLab lab, int node, String name)
            throws IOException, InterruptedException {
        ProbeLab.run(
                List.of(
                        "ip",
                        "netns",
                        "exec",
                        lab.lab().host(node).namespace(),
                        "tee",
                        IPV4.resolve("tcp_congestion_control").toString()),
                name);
    }

    @Tag("slow")
    @Test
    void aSwitchThatSnoopsWhileNobodyQueriesIsFound() throws Exception {
        ProbeLab lab = lab(3);
        startAgents(lab, 1, 2);
        // As a switch that forgets who joined, after 5 s instead of 260 s, and does not ask again.
        ProbeLab.run(
                List.of("ip", "-n", lab.lab().switchNamespace(), "-batch", "-"),
                "link set br0 type bridge mcast_query_interval 1000000"
                        + " mcast_membership_interval 500 mcast_startup_query_count 0\n");
        Program probe = lab.start("probe", 2, "--watch", "40s", "--rate", "10mbit");
        assertThat(probe.await()).as(probe.err()).isEqualTo(ExitCode.TROUBLE.code());
        assertThat(troubles(probe.json()))
                .as(probe.out())
                .containsOnly(Map.entry("no-querier", nodes("h1", "h2")));
    }

    @Test
    @Tag("slow")
    void aQuerierIsHeardByItsQueries() throws Exception {
        ProbeLab lab = lab(2);
        startAgents(lab, 1);
        ProbeLab.run(
                List.of("ip", "-n", lab.lab().switchNamespace(), "-batch", "-"),
                "link set br0 type bridge mcast_query_interval 100\n");
        Program probe = lab.start("probe", 1, "--watch", "8s", "--rate", "10mbit");
        assertThat(probe.await()).as(probe.out() + probe.err()).isEqualTo(ExitCode.OK.code());
        assertThat(probe.json().getObject("queries"))
                .containsKey(lab.lab().gateway().getHostAddress());
    }

    @Test
    @Tag("slow")
    void theServiceShowsWhatWasFound() throws Exception {
        ProbeLab lab = lab(3);
        startAgents(lab, 1, 2);
        lab.dropTowards(2, MULTICAST);
        ServiceProcess service =
                ServiceProcess.start(Program.freePort(), directory.resolve("service"));
        try {
            service.awaitHealthy();
            InetSocketAddress target =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port());
            int port = lab.lab().relay(service.port(), target).listening().getPort();
            String reached = "http://" + lab.lab().gateway().getHostAddress() + ":" + port;
            Program probe = lab.start("probe", 2, "--group", GROUP + ":5010", "--service", reached);
            assertThat(probe.await()).as(probe.err()).isEqualTo(ExitCode.TROUBLE.code());
            assertThat(probe.err()).doesNotContain("did not get the result");
            String nodes = page(service, "/nodes");
            assertThat(nodes).contains(GROUP + ":5010");
            Matcher link = Pattern.compile("/probes/[0-9a-f-]{36}").matcher(nodes);
            assertThat(link.find()).as(nodes).isTrue();
            JsonObject finding = probe.json().getArray("findings").getObject(0);
            assertThat(page(service, link.group()))
                    .contains(finding.getString("trouble").replace('-', ' '), ">h1<")
                    .doesNotContain("this machine");

            Program untold =
                    lab.start("probe", 1, "--rate", "10mbit", "--service", "http://127.0.0.1:1");
            assertThat(untold.await())
                    .as(untold.out() + untold.err())
                    .isEqualTo(ExitCode.OK.code());
            assertThat(untold.err())
                    .contains("the service did not get the result: no service answers");
        } finally {
            service.stop();
        }
    }

    private static String page(ServiceProcess service, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(service.uri().resolve(path)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }
}
