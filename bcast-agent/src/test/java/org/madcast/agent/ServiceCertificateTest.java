package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.ServiceTrust;

/** Commands and a service whose certificate a private authority has signed. */
@Isolated("--ca is a setting of the process")
@EnabledIf("hasOpenssl")
class ServiceCertificateTest {

    private static final String OPENSSL = "/usr/bin/openssl";
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final byte[] NONE =
            "{\"total\":0,\"items\":[]}".getBytes(StandardCharsets.UTF_8);

    @TempDir private static Path directory;
    private static HttpsServer server;

    static boolean hasOpenssl() {
        return Files.isExecutable(Path.of(OPENSSL));
    }

    @BeforeAll
    static void start() throws Exception {
        for (String authority : List.of("ca", "other")) {
            openssl(
                    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                            + " -subj /CN=authority -keyout %s.key -out %s.crt"
                                    .formatted(authority, authority));
        }
        Files.writeString(directory.resolve("names"), "subjectAltName=IP:127.0.0.1");
        openssl(
                "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=service"
                        + " -keyout own.key -out request");
        openssl(
                "x509 -req -in request -CA ca.crt -CAkey ca.key -days 2 -extfile names"
                        + " -set_serial 7 -out own.crt");
        openssl("pkcs12 -export -passout pass:changeit -inkey own.key -in own.crt -out own.p12");
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(KeyStore.getInstance(directory.resolve("own.p12").toFile(), PASSWORD), PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(200, NONE.length);
                        exchange.getResponseBody().write(NONE);
                    }
                });
        server.start();
    }

    private static void openssl(String arguments) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder((OPENSSL + " " + arguments).split(" ", -1))
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @AfterAll
    static void end() {
        server.stop(0);
    }

    @AfterEach
    void forget() {
        System.clearProperty(ServiceTrust.CA);
    }

    private static Outcome ask(String host, String words, String... more) {
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.addAll(
                List.of(
                        "--service",
                        "https://%s:%d".formatted(host, server.getAddress().getPort())));
        arguments.addAll(List.of(more));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    private static String file(String name) {
        return directory.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease list", "communicator list", "lease list --json"})
    void theAuthorityThatIsNamedIsBelieved(String words) {
        Outcome answered = ask("127.0.0.1", words, "--ca", file("ca.crt"));
        assertThat(answered.err()).isEmpty();
        assertThat(answered.code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lease list",
                "lease grant --job j",
                "lease release 00000000-0000-0000-0000-000000000007 --force",
                "scope list",
                "communicator list",
                "node list",
                "token list",
                "token make x --role job",
                "audit",
                "audit --follow",
                "webhook list",
                "reservation list"
            })
    void withoutItEachCommandSaysThatItIsTheCertificate(String words) {
        Outcome refused = ask("127.0.0.1", words);
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.SERVICE.code());
        assertThat(refused.err())
                .contains("https://127.0.0.1:", "its certificate is not trusted", "--ca FILE")
                .doesNotContain("\tat ");
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void anotherAuthorityDoesNotDo() {
        Outcome refused = ask("127.0.0.1", "lease list", "--ca", file("other.crt"));
        assertThat(refused.code()).isEqualTo(ExitCode.SERVICE.code());
        assertThat(refused.err()).contains("its certificate is not trusted");
    }

    @Test
    void aHostThatTheCertificateDoesNotNameIsRefused() {
        Outcome refused = ask("localhost", "lease list", "--ca", file("ca.crt"));
        assertThat(refused.code()).isEqualTo(ExitCode.SERVICE.code());
        assertThat(refused.err()).contains("certificate", "the host as the certificate does");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        Outcome refused = ask("127.0.0.1", "lease list", "--ca", file("missing.crt"));
        assertThat(refused.code()).isEqualTo(ExitCode.SERVICE.code());
        assertThat(refused.err()).contains(file("missing.crt"), "certificate");
    }
}
