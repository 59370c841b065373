package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.madcast.agent.node.FreePort;
import org.madcast.agent.service.ServiceProcess;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** A lab whose hosts reach a service, and what the service's pages say of jobs. */
final class ServedLab implements AutoCloseable {

    private static final Pattern COMMUNICATOR = Pattern.compile("/communicators/([0-9a-f-]{36})");

    private final Lab lab;
    private final ServiceProcess service;
    private final URI reached;
    private final Path directory;

    private ServedLab(Lab lab, ServiceProcess service, URI reached, Path directory) {
        this.directory = directory;
        this.lab = lab;
        this.service = service;
        this.reached = reached;
    }

    /** Starts a service, and this number of hosts on one switch; the directory is the service's. */
    static ServedLab start(int hosts, Path directory) throws Exception {
        return start(LabSpec.builder().hosts(hosts).rate("100mbit").build(), directory);
    }

    /** Starts a service and any lab; the directory is the service's. */
    static ServedLab start(LabSpec spec, Path directory) throws Exception {
        ServiceProcess service = ServiceProcess.start(FreePort.onLoopback().getPort(), directory);
        Lab lab = null;
        try {
            lab = Lab.up(spec);
            service.awaitHealthy();
            InetSocketAddress target =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port());
            int port = lab.relay(service.port(), target).listening().getPort();
            URI reached = URI.create("http://" + lab.gateway().getHostAddress() + ":" + port);
            return new ServedLab(lab, service, reached, directory);
        } catch (Exception | AssertionError failed) {
            service.stop();
            if (lab != null) {
                lab.close();
            }
            throw failed;
        }
    }

    Lab lab() {
        return lab;
    }

    /** Where a program outside of the lab reaches the service. */
    URI service() {
        return service.uri();
    }

    /** What lets a program act as an operator. */
    String operatorToken() throws IOException {
        return Files.readString(directory.resolve("data/operator-token")).strip();
    }

    /** With what ranks report to the service. */
    Map<String, String> variables(String job) {
        Map<String, String> variables = new HashMap<>();
        variables.put("MADCAST_SERVICE", reached.toString());
        variables.put("MADCAST_JOB_ID", job);
        return variables;
    }

    private String page(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(service.uri().resolve(path)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    /** The page of a job's communicator. */
    String communicator(String job) throws Exception {
        String overview = page("/");
        Matcher id = COMMUNICATOR.matcher(overview);
        assertThat(id.find(overview.indexOf(">" + job + "<"))).as(overview).isTrue();
        return page("/communicators/" + id.group(1));
    }

    /**
     * What the page says of a root's delay.
     *
     * @param now what the root waits
     * @param advised what it should wait
     * @param why the reason
     */
    record RootDelay(String now, String advised, String why) {

        /** Whether the root waits, and is advised to. */
        boolean isInForce() {
            return now.endsWith("s") && advised.endsWith("s");
        }
    }

    /** The delay of a job's site; without any word when the page does not show it yet. */
    RootDelay delay(String job, String site) throws Exception {
        String page = communicator(job);
        String number = "<td class=\"num\">([^<]*)</td>";
        Matcher row =
                Pattern.compile(
                                "<td>"
                                        + site
                                        + "</td>"
                                        + number
                                        + number
                                        + "<td class=\"wrap\">([^<]*)</td>")
                        .matcher(page.substring(page.indexOf("<h2>Root delay</h2>")));
        return row.find()
                ? new RootDelay(row.group(1), row.group(2), row.group(3))
                : new RootDelay("", "", "");
    }

    @Override
    public void close() {
        service.stop();
        lab.close();
    }
}
