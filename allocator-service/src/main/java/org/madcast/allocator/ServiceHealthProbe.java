package org.madcast.allocator;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The health check of an image that has no shell: ends with 0 when the service on this machine says
 * that it is ready, else with 1. The port is {@code SERVER_PORT}, 8730 when that is not set. It
 * asks over HTTPS where that is what the port speaks, whatever the certificate: no other program
 * answers on the port, and nothing secret is sent.
 */
final class ServiceHealthProbe {

    private static final int PATIENCE_MS = 2_000;
    private static final String PATH = "/actuator/health/readiness";

    private ServiceHealthProbe() {}

    /** Asks once. */
    public static void main(String[] args) {
        String port = System.getenv().getOrDefault("SERVER_PORT", "8730");
        System.exit(isReady(Integer.parseInt(port)) ? 0 : 1);
    }

    /** True when the service at this port answers that it is ready; false also for no answer. */
    static boolean isReady(int port) {
        return answers(URI.create("http://127.0.0.1:" + port + PATH))
                || answers(URI.create("https://127.0.0.1:" + port + PATH));
    }

    private static boolean answers(URI health) {
        try {
            HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MS);
            connection.setReadTimeout(PATIENCE_MS);
            if (connection instanceof HttpsURLConnection secure) {
                SSLContext tls = SSLContext.getInstance("TLS");
                tls.init(null, new TrustManager[] {new Anybody()}, null);
                secure.setSSLSocketFactory(tls.getSocketFactory());
                secure.setHostnameVerifier((_, _) -> true);
            }
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException | GeneralSecurityException noAnswer) {
            return false;
        }
    }

    /** Accepts every certificate: the probe asks this container's own service. */
    private static final class Anybody extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
