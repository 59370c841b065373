package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Who comes through a proxy on the service's own machine: real ones, as Debian installs them, which
 * run as users of their own.
 */
@EnabledIf("areInstalled")
class ProxyTest {

    private static final String NGINX = "/usr/sbin/nginx";
    private static final String HAPROXY = "/usr/sbin/haproxy";
    private static final String OPERATOR = "an-operator-behind-a-proxy";
    private static final String[] TOKEN = {"Authorization", "Bearer " + OPERATOR};

    private static final List<Process> PROXIES = new ArrayList<>();
    private static RunningService usual;
    private static RunningService ownUser;
    private static RunningService careless;

    static boolean areInstalled() {
        return "root".equals(System.getProperty("user.name"))
                && Files.isExecutable(Path.of(NGINX))
                && Files.isExecutable(Path.of(HAPROXY));
    }

    @BeforeAll
    static void start() {
        String token = "--madcast.access.operator-token=" + OPERATOR;
        usual = RunningService.replica(token);
        ownUser = RunningService.replica(token, "--madcast.access.from-own-user=job");
        careless = RunningService.replica(token, "--madcast.access.from-loopback=job");
    }

    @AfterAll
    static void end() throws InterruptedException {
        for (Process proxy : PROXIES) {
            proxy.destroy();
            proxy.waitFor();
        }
        usual.close();
        ownUser.close();
        careless.close();
    }

    private static String server(RunningService service) {
        return service.rest().origin().substring("http://".length());
    }

    /** The service behind nginx with this line in its location. */
    private static Rest nginx(RunningService service, String line) throws IOException {
        int port = FreePort.tcp();
        Path directory = RunningService.newDirectory("nginx");
        Path file =
                Files.writeString(
                        directory.resolve("nginx.conf"),
                        """
                        user www-data;
                        daemon off;
                        pid nginx.pid;
                        events {}
                        http {
                            access_log off;
                            server {
                                listen 127.0.0.1:%d;
                                location / { proxy_pass http://%s; %s }
                            }
                        }
                        """
                                .formatted(port, server(service), line));
        String prefix = directory.toString();
        return started(directory, port, NGINX, "-p", prefix, "-e", "error.log", "-c", file + "");
    }

    /** The service behind HAProxy with this line in its backend. */
    private static Rest haproxy(RunningService service, String line) throws IOException {
        int port = FreePort.tcp();
        Path directory = RunningService.newDirectory("haproxy");
        Path file =
                Files.writeString(
                        directory.resolve("haproxy.cfg"),
                        """
                        global
                          user haproxy
                          group haproxy
                        defaults
                          mode http
                          timeout connect 5s
                          timeout client 30s
                          timeout server 30s
                        frontend all
                          bind 127.0.0.1:%d
                          default_backend service
                        backend service
                          server one %s
                          %s
                        """
                                .formatted(port, server(service), line));
        return started(directory, port, HAPROXY, "-db", "-f", file.toString());
    }

    private static Rest started(Path directory, int port, String... command) throws IOException {
        PROXIES.add(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("output").toFile())
                        .start());
        Rest through = new Rest(Integer.toString(port));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> {
                    Rest.Answer health = Rest.orNull(() -> through.get("/actuator/health"));
                    return health != null && health.status() == 200;
                });
        return through;
    }

    private static int leases(Rest rest, String... headers) {
        return rest.get("/v1/leases?size=1", headers).status();
    }

    @Test
    void throughAProxyThatAddsNothingATokenIsNeeded() throws IOException {
        for (Rest through : List.of(nginx(usual, ""), haproxy(usual, ""))) {
            assertThat(leases(through)).isEqualTo(401);
            assertThat(leases(through, TOKEN)).isEqualTo(200);
        }
        assertThat(leases(usual.rest())).isEqualTo(401);
    }

    @Test
    void aProxyIsNotTheUserThatRunsTheService() throws IOException {
        assertThat(leases(ownUser.rest())).isEqualTo(200);
        for (Rest through : List.of(nginx(ownUser, ""), haproxy(ownUser, ""))) {
            assertThat(leases(through)).isEqualTo(401);
            assertThat(leases(through, TOKEN)).isEqualTo(200);
        }
        assertThat(leases(ownUser.rest())).isEqualTo(200);
    }

    /** Where the loopback role was asked for, the documented line keeps others out. */
    @Test
    void theLineThatIsDocumentedIsEnough() throws IOException {
        assertThat(leases(careless.rest())).isEqualTo(200);
        String forNginx = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;";
        assertThat(leases(nginx(careless, forNginx))).isEqualTo(401);
        assertThat(leases(haproxy(careless, "option forwardfor"))).isEqualTo(401);
        assertThat(leases(nginx(careless, ""))).as("without it").isEqualTo(200);
    }
}
