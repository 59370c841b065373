package org.madcast.allocator;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * The health check of an image that has no shell: ends with 0 when the service on this machine says
 * that it is ready, else with 1. The port is {@code SERVER_PORT}, 8730 when that is not set.
 */
final class ServiceHealthProbe {

    private static final int PATIENCE_MS = 4_000;

    private ServiceHealthProbe() {}

    /** Asks once. */
    public static void main(String[] args) {
        String port = System.getenv().getOrDefault("SERVER_PORT", "8730");
        System.exit(isReady(URI.create("http://127.0.0.1:" + port)) ? 0 : 1);
    }

    /** True when the service at this address answers that it is ready; false also for no answer. */
    static boolean isReady(URI service) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection)
                            service.resolve("/actuator/health/readiness").toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MS);
            connection.setReadTimeout(PATIENCE_MS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException noAnswer) {
            return false;
        }
    }
}
