package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** HTTPS with real certificates: a private authority's, a renewed one, and those of clients. */
@EnabledIf("hasOpenssl")
class TlsTest {

    private static final String OPENSSL = "/usr/bin/openssl";
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static Path directory;
    private static RunningService service;
    private static String origin;

    static boolean hasOpenssl() {
        return Files.isExecutable(Path.of(OPENSSL));
    }

    @BeforeAll
    static void start() throws Exception {
        directory = RunningService.newDirectory("tls");
        openssl(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                        + " -subj /CN=authority -keyout ca.key -out ca.crt");
        sign("server", "/CN=service", 1);
        sign("ada", "/O=Example/CN=ada", 2);
        sign("eve", "/O=Example/CN=eve", 3);
        for (String holder : List.of("ada", "eve")) {
            openssl(
                    "pkcs12 -export -passout pass:changeit -inkey %s.key -in %s.crt -out %s.p12"
                            .formatted(holder, holder, holder));
        }
        String bundle = "--spring.ssl.bundle.pem.madcast.";
        service =
                RunningService.replica(
                        "--madcast.access.job-token=",
                        "--server.ssl.bundle=madcast",
                        bundle + "reload-on-update=true",
                        bundle + "keystore.certificate=file:" + directory.resolve("server.crt"),
                        bundle + "keystore.private-key=file:" + directory.resolve("server.key"),
                        bundle + "truststore.certificate=file:" + directory.resolve("ca.crt"),
                        "--spring.ssl.bundle.watch.file.quiet-period=200ms",
                        "--server.ssl.client-auth=want",
                        "--madcast.access.certificates.operator[0]=CN=ada,O=Example");
        origin = service.rest().origin().replace("http://", "https://");
    }

    @AfterAll
    static void end() {
        service.close();
    }

    /** A certificate of this authority, for this machine. */
    private static void sign(String name, String subject, int serial) throws Exception {
        Files.writeString(directory.resolve("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
        openssl(
                "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj %s -keyout %s.key"
                                .formatted(subject, name)
                        + " -out request");
        openssl(
                "x509 -req -in request -CA ca.crt -CAkey ca.key -days 2 -extfile names"
                        + " -set_serial %d -out %s.crt".formatted(serial, name));
    }

    private static void openssl(String arguments) throws Exception {
        Process process =
                new ProcessBuilder((OPENSSL + " " + arguments).split(" ", -1))
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** A client that believes the authority, and shows this holder's certificate. */
    private static HttpClient client(@Nullable String holder)
            throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, PASSWORD);
        try (InputStream file = new FileInputStream(directory.resolve("ca.crt").toFile())) {
            authorities.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(authorities);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        if (holder != null) {
            keys.init(
                    KeyStore.getInstance(directory.resolve(holder + ".p12").toFile(), PASSWORD),
                    PASSWORD);
        }
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(holder == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
    }

    private static HttpResponse<String> get(HttpClient client, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(origin + path))
                        .timeout(Duration.ofSeconds(30))
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static BigInteger serial() throws Exception {
        try (HttpClient fresh = client(null)) {
            return ((X509Certificate)
                            get(fresh, "/actuator/health")
                                    .sslSession()
                                    .orElseThrow()
                                    .getPeerCertificates()[0])
                    .getSerialNumber();
        }
    }

    @Test
    void itAnswersOverHttpsAndSaysSo() throws Exception {
        try (HttpClient client = client(null);
                HttpClient stranger = HttpClient.newHttpClient()) {
            HttpResponse<String> health = get(client, "/actuator/health/readiness");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.headers().firstValue("Strict-Transport-Security"))
                    .contains("max-age=31536000");
            assertThat(get(client, "/v1/leases").statusCode()).isEqualTo(401);
            assertThatThrownBy(() -> get(stranger, "/actuator/health"))
                    .isInstanceOf(SSLHandshakeException.class);
        }
        assertThat(service.part(ReadyAnnouncement.class).address()).isEqualTo(origin + "/");
    }

    @Test
    void theImagesHealthCheckAsksOverHttpsWhereThatIsSpoken() {
        int port = URI.create(origin).getPort();
        assertThat(ServiceHealthProbe.isReady(port)).isTrue();
        int plain = URI.create(RunningService.shared().rest().origin()).getPort();
        assertThat(ServiceHealthProbe.isReady(plain)).isTrue();
    }

    @Test
    void aClientsCertificateHasTheRoleOfItsSubject() throws Exception {
        try (HttpClient ada = client("ada");
                HttpClient eve = client("eve")) {
            HttpResponse<String> tokens = get(ada, "/v1/tokens");
            assertThat(tokens.statusCode()).as(tokens.body()).isEqualTo(200);
            assertThat(get(eve, "/v1/tokens").statusCode()).isEqualTo(401);
            assertThat(get(eve, "/actuator/health").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aRenewedCertificateIsUsedWithoutARestart() throws Exception {
        assertThat(serial()).isEqualTo(BigInteger.ONE);
        sign("renewed", "/CN=service", 77);
        for (String kind : List.of(".key", ".crt")) {
            Files.move(
                    directory.resolve("renewed" + kind),
                    directory.resolve("server" + kind),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(TlsTest::serial, it -> it.equals(BigInteger.valueOf(77)));
    }
}
