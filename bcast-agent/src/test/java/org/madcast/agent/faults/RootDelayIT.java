package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.service.ServiceProcess;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/**
 * The root comes first and the others late, in the lab, with the service. Ranks buffer what comes
 * before they call, so lateness costs nothing and no delay is advised, be the network lossy or not,
 * nor where they compute on all processors until they call and the kernel keeps next to nothing for
 * them: much is lost then, but repaired by the time at which they call.
 */
@Tag("slow")
class RootDelayIT {

    private static final int RANKS = 4;
    private static final int BYTES = 64 * 1024;
    private static final Duration LATE = Duration.ofMillis(8);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Reports come every 5 s and are rolled up every 10 s: some three observations. */
    private static final int MESSAGES = 1200;

    private static final int LEARNING = 1800;
    private static final int MEASURED = 300;

    private static final Pattern COMMUNICATOR = Pattern.compile("/communicators/([0-9a-f-]{36})");

    @TempDir private static Path directory;
    private static Lab lab;
    private static ServiceProcess service;
    private static URI reached;

    @BeforeAll
    static void start() throws Exception {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(RANKS).rate("100mbit").build());
        service = ServiceProcess.start(freePort(), directory);
        service.awaitHealthy();
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port());
        int port = lab.relay(service.port(), target).listening().getPort();
        reached = URI.create("http://" + lab.gateway().getHostAddress() + ":" + port);
    }

    @AfterAll
    static void end() {
        if (service != null) {
            service.stop();
        }
        if (lab != null) {
            lab.close();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String page(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(service.uri().resolve(path)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    @Test
    void noDelayIsAdvisedWhereReceiversBuffer() throws Exception {
        try (FaultJob job = FaultJob.start(lab, RANKS, variables("buffering"))) {
            job.beginLate(MESSAGES, BYTES, LATE, 0);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            lab.hosts().forEach(host -> lab.setLoss(host.index(), 1));
            job.beginLate(MESSAGES, BYTES, LATE, 0);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            lab.hosts().forEach(host -> lab.setLoss(host.index(), 0));
            assertThat(advised("buffering", "64 to 128 KiB")).isEqualTo("none");
        }
    }

    /**
     * Where the kernel keeps next to nothing and all processors compute, what is late is lost. But
     * a rank's own thread asks for it again while the program computes: waiting for all would not
     * be quicker, and is not advised.
     */
    @Test
    void noDelayIsAdvisedWhereLateReceiversLoseMuchButWaitingWouldCostMore() throws Exception {
        double advised = busyMeanUs(variables("advised"), LEARNING) / 1000;
        double without = busyMeanUs(pinned("0ms"), 1) / 1000;
        double waiting = busyMeanUs(pinned("9ms"), 1) / 1000;
        System.out.printf(
                "a call takes %.1f ms without a delay, %.1f ms with 9 ms, %.1f ms as advised%n",
                without, waiting, advised);
        assertThat(advised("advised", "64 to 128 KiB")).isEqualTo("none");
        assertThat(waiting).isGreaterThan(0.9 * without);
    }

    private static Map<String, String> pinned(String delay) {
        Map<String, String> pinned = variables("pinned-" + delay);
        pinned.put("MADCAST_ROOT_WAIT_TIME", delay);
        return pinned;
    }

    private static Map<String, String> variables(String job) {
        Map<String, String> variables = new HashMap<>();
        variables.put("MADCAST_SERVICE", reached.toString());
        variables.put("MADCAST_JOB_ID", job);
        return variables;
    }

    /** What a call takes a rank on average, when so many messages have gone before. */
    private static double busyMeanUs(Map<String, String> variables, int before) throws Exception {
        variables.put("MADCAST_RECEIVE_BUFFER", "8KiB");
        try (FaultJob job = FaultJob.start(lab, RANKS, variables)) {
            job.beginLate(before, BYTES, LATE, 3);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            job.beginLate(MEASURED, BYTES, LATE, 3);
            List<Outcome> outcomes = job.await(LIMIT);
            Faults.assertAllRight(outcomes, RANKS);
            assertThat(job.total("fragmentsLost")).isGreaterThan(MEASURED);
            return outcomes.stream().mapToLong(Outcome::longestMs).average().orElseThrow();
        }
    }

    /** What the root is advised to wait, as the page says. */
    private static String advised(String job, String site) throws Exception {
        String overview = page("/");
        Matcher id = COMMUNICATOR.matcher(overview);
        assertThat(id.find(overview.indexOf(">" + job + "<"))).as(overview).isTrue();
        String page = page("/communicators/" + id.group(1));
        String delays = page.substring(page.indexOf("<h2>Root delay</h2>"));
        Matcher row =
                Pattern.compile(
                                "<td>"
                                        + site
                                        + "</td><td class=\"num\">[^<]*</td>"
                                        + "<td class=\"num\">([^<]*)</td><td>([^<]*)</td>")
                        .matcher(delays);
        assertThat(row.find()).as(delays).isTrue();
        System.out.println("the root is advised to wait: " + row.group(1) + ", " + row.group(2));
        return row.group(1);
    }
}
