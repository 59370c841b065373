package org.madcast.measure.leasebench;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.madcast.agent.service.ServiceClient;

/**
 * A scope of our own to lease from, filled as far as wanted, and closed and emptied at the end. It
 * is in a layer-2 domain of its own, so other leases are not in its way.
 */
final class BenchScope implements AutoCloseable {

    /** What one lease may have. */
    private static final int MOST_GROUPS = 64;

    private final ServiceClient service;
    private final String name;
    private final JsonObject properties;
    private final int capacity;
    private final Deque<JsonObject> held = new ArrayDeque<>();
    private int filled;

    /** Makes the scope, of this many addresses. */
    BenchScope(ServiceClient service, int capacity) throws InterruptedException {
        this.service = service;
        this.capacity = capacity;
        this.name = "bench-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        properties = new JsonObject();
        properties.put("description", "madcast bench-leases");
        properties.put("ranges", JsonArray.from(range(capacity)));
        properties.put("allowUnscoped", true);
        properties.put("quarantineSeconds", 0);
        JsonObject sharing = new JsonObject();
        sharing.put("segment", name);
        properties.put("sharing", sharing);
        service.post("/v1/scopes/" + name, properties, Map.of());
    }

    /** Addresses from 225.1.0.0 up, below those that alias what nobody may have. */
    private static String range(int capacity) {
        // The top /24 of a range is left out of it.
        long last = 0xe1010000L + capacity + 255;
        return "225.1.0.0-%d.%d.%d.%d"
                .formatted(last >> 24, last >> 16 & 0xff, last >> 8 & 0xff, last & 0xff);
    }

    String name() {
        return name;
    }

    /** Leases more, until this part of the scope is in use. */
    void fillTo(double percent) throws InterruptedException {
        int wanted = (int) (capacity * percent / 100);
        while (filled < wanted) {
            int count = Math.min(MOST_GROUPS, wanted - filled);
            JsonObject request = new JsonObject();
            request.put("job", "bench-leases");
            request.put("scope", name);
            request.put("count", count);
            request.put("durationSeconds", 86_400);
            held.push(service.post("/v1/leases", request, Map.of()));
            filled += count;
        }
    }

    @Override
    public void close() {
        try {
            emptyAndClose();
        } catch (InterruptedException interrupted) {
            // What is left expires by itself.
            Thread.currentThread().interrupt();
        }
    }

    private void emptyAndClose() throws InterruptedException {
        while (!held.isEmpty()) {
            JsonObject lease = held.pop();
            service.delete(
                    "/v1/leases/" + lease.getString("id"),
                    Map.of("Madcast-Lease-Secret", lease.getString("secret")));
        }
        properties.put("closed", true);
        service.put("/v1/scopes/" + name, properties);
    }
}
