package org.madcast.agent.daemon;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * The health check of an image that has no shell: ends with 0 when the agent on this machine says
 * that it is well, else with 1. The port is {@code MADCAST_AGENT_STATUS_PORT}, 8732 when that is
 * not set.
 */
final class HealthProbe {

    private static final int PATIENCE_MS = 4_000;

    private HealthProbe() {}

    /** Asks once. */
    public static void main(String[] args) {
        String port = System.getenv().getOrDefault("MADCAST_AGENT_STATUS_PORT", "8732");
        System.exit(isWell(URI.create("http://127.0.0.1:" + port)) ? 0 : 1);
    }

    private static boolean isWell(URI agent) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) agent.resolve("/health").toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MS);
            connection.setReadTimeout(PATIENCE_MS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException noAnswer) {
            return false;
        }
    }
}
