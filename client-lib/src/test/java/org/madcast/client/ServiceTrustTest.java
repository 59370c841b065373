package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** HTTPS to a service whose certificate a private authority has signed. */
@Isolated
@Timeout(180)
@EnabledIf("hasOpenssl")
class ServiceTrustTest {

    private static final String OPENSSL = "/usr/bin/openssl";
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir private static Path directory;
    private static HttpsServer server;
    private static boolean wantsCertificate;

    static boolean hasOpenssl() {
        return Files.isExecutable(Path.of(OPENSSL));
    }

    @BeforeAll
    static void start() throws Exception {
        openssl(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                        + " -subj /CN=authority -keyout ca.key -out ca.crt");
        openssl(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                        + " -subj /CN=another -keyout other.key -out other.crt");
        Files.writeString(directory.resolve("names"), "subjectAltName=IP:127.0.0.1");
        openssl(
                "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=rank"
                        + " -keyout own.key -out request");
        openssl(
                "x509 -req -in request -CA ca.crt -CAkey ca.key -days 2 -extfile names"
                        + " -set_serial 7 -out own.crt");
        Files.writeString(
                directory.resolve("own.pem"),
                Files.readString(directory.resolve("own.crt"))
                        + Files.readString(directory.resolve("own.key")));
        openssl(
                "pkcs12 -export -passout pass:changeit -inkey own.key -in own.crt"
                        + " -certfile ca.crt -out own.p12");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(configurator());
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        server.start();
    }

    private static HttpsConfigurator configurator() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(KeyStore.getInstance(directory.resolve("own.p12").toFile(), PASSWORD), PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        try (InputStream authority = Files.newInputStream(directory.resolve("ca.crt"))) {
            authorities.setCertificateEntry(
                    "authority",
                    CertificateFactory.getInstance("X.509").generateCertificate(authority));
        }
        trust.init(authorities);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
                ssl.setNeedClientAuth(wantsCertificate);
                parameters.setSSLParameters(ssl);
            }
        };
    }

    @AfterAll
    static void end() {
        server.stop(0);
    }

    @AfterEach
    void forget() {
        wantsCertificate = false;
        System.clearProperty(ServiceTrust.CA);
        System.clearProperty(ServiceTrust.CERTIFICATE);
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

    private static void trust(String file) {
        System.setProperty(ServiceTrust.CA, directory.resolve(file).toString());
    }

    private static URI service() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    }

    private static int ask() throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) service().toURL().openConnection(java.net.Proxy.NO_PROXY);
        connection.setRequestProperty("Connection", "close");
        ServiceTrust.prepare(connection);
        return connection.getResponseCode();
    }

    private static String trouble() {
        try {
            return "answered " + ask();
        } catch (IOException failed) {
            return ServiceTrust.trouble(failed).orElse("no trouble: " + failed);
        }
    }

    @Test
    void theNamedAuthorityIsBelieved() throws IOException {
        trust("ca.crt");
        assertThat(ask()).isEqualTo(200);
    }

    @Test
    void anotherAuthoritysCertificateIsNotAndTheErrorSaysSo() {
        assertThat(trouble()).contains("its certificate is not trusted", "--ca", "MADCAST_CA");
        trust("other.crt");
        assertThat(trouble()).contains("its certificate is not trusted");
    }

    @Test
    void aFileThatChangesIsReadAgain() throws Exception {
        Path file = Files.copy(directory.resolve("other.crt"), directory.resolve("changing.crt"));
        System.setProperty(ServiceTrust.CA, file.toString());
        assertThat(trouble()).contains("certificate");
        Files.writeString(file, Files.readString(directory.resolve("ca.crt")));
        Files.setLastModifiedTime(
                file,
                java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() + 5000));
        assertThat(ask()).isEqualTo(200);
    }

    @Test
    void aFileThatIsNoneIsNamed() throws IOException {
        trust("missing.crt");
        assertThatThrownBy(ServiceTrustTest::ask).hasMessageContaining("missing.crt");
        assertThat(trouble()).contains("no certificate can be checked: ", "missing.crt");
        trust("names");
        assertThatThrownBy(ServiceTrustTest::ask).hasMessageContaining("names has no certificate");
        System.setProperty(ServiceTrust.CERTIFICATE, directory.resolve("ca.crt").toString());
        trust("ca.crt");
        assertThatThrownBy(ServiceTrustTest::ask).hasMessageContaining("no private key");
    }

    @Test
    void theOwnCertificateIsShownWhereOneIsWanted() throws IOException {
        wantsCertificate = true;
        trust("ca.crt");
        assertThatThrownBy(ServiceTrustTest::ask).isInstanceOf(IOException.class);
        System.setProperty(ServiceTrust.CERTIFICATE, directory.resolve("own.pem").toString());
        assertThat(ask()).isEqualTo(200);
    }

    /** A service that is not trusted is an error: the rank does not go on without a lease. */
    @Test
    void aRankDoesNotJoinAServiceThatItDoesNotBelieve() throws IOException {
        assertThatNoRankJoins("the service at https://127.0.0.1", "certificate is not trusted");
        trust("missing.crt");
        assertThatNoRankJoins(
                "the service at https://127.0.0.1", "no certificate can be checked", "missing.crt");
    }

    private static void assertThatNoRankJoins(String... why) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommunicatorConfig config =
                    CommunicatorConfig.builder("job", 0, 2)
                            .serviceUri(service())
                            .rootAddress(
                                    InetSocketAddress.createUnresolved(
                                            "127.0.0.1", free.getLocalPort()))
                            .joinTimeout(Duration.ofSeconds(5))
                            .build();
            assertThatThrownBy(() -> Communicator.join(config))
                    .isInstanceOf(JoinFailedException.class)
                    .hasMessageContainingAll(why);
        }
    }
}
