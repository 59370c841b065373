package org.madcast.agent.probe;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Datagrams that one point sends to a group or to another point.
 *
 * @param number tells a sender's trains apart
 * @param target where to
 * @param datagramBytes of each, without the headers of UDP and IP
 * @param count how many, spread evenly over the time
 * @param ttl how many routers they may pass, plus one
 * @param lasting how long to send; zero sends them as fast as they go
 */
record ProbeTrain(
        int number,
        InetSocketAddress target,
        int datagramBytes,
        int count,
        int ttl,
        Duration lasting) {

    private static final int MAX_COUNT = 200_000;
    private static final int MAX_MILLIS = 10_000;

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.put("number", number);
        json.put("host", target.getAddress().getHostAddress());
        json.put("port", target.getPort());
        json.put("datagramBytes", datagramBytes);
        json.put("count", count);
        json.put("ttl", ttl);
        json.put("lastingMs", lasting.toMillis());
        return json;
    }

    /** Reads it; what no probe would ask for is refused. */
    static ProbeTrain of(JsonObject json) throws IOException {
        try {
            ProbeTrain train =
                    new ProbeTrain(
                            json.getInt("number"),
                            new InetSocketAddress(
                                    InetAddress.ofLiteral(json.getString("host", "")),
                                    json.getInt("port")),
                            json.getInt("datagramBytes"),
                            json.getInt("count"),
                            json.getInt("ttl"),
                            Duration.ofMillis(json.getInt("lastingMs")));
            train.check();
            return train;
        } catch (IllegalArgumentException e) {
            throw new IOException("a train that cannot be: " + e.getMessage(), e);
        }
    }

    private void check() {
        if (datagramBytes < ProbeDatagram.HEADER_BYTES
                || datagramBytes > ProbeDatagram.MAX_BYTES
                || count < 0
                || count > MAX_COUNT
                || ttl < 0
                || ttl > 255
                || lasting.isNegative()
                || lasting.toMillis() > MAX_MILLIS) {
            throw new IllegalArgumentException(toString());
        }
    }
}
