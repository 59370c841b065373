package org.madcast.client.lease;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The allocation service's side of the REST contract for one communicator, on loopback, and for
 * those of other names ({@link #named}). The next one of a name begins when all members have left,
 * as it did with all services once.
 */
final class ContractService implements AutoCloseable {

    static final String GROUP = "239.192.0.17";
    static final String FRESH_GROUP = "239.192.0.99";
    static final int PORT = 5000;

    final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    final BlockingQueue<JsonObject> reports = new LinkedBlockingQueue<>();
    volatile Duration lease = Duration.ofMinutes(10);
    volatile int renewalStatus = 200;
    volatile int unavailable;

    /** How many of the next requests get no answer, and no end of their connection. */
    final AtomicInteger unanswered = new AtomicInteger();

    /** False: as services were before ranks passed on each other's reports. */
    volatile boolean takesRelayed = true;

    /** What it keeps for the ranks' hosts, as JSON; empty: nothing. */
    volatile String topology = "";

    volatile String bearer = "";
    volatile String ownerSecret = "";

    private final int port;
    private HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Integer, JsonObject> members = new TreeMap<>();
    private final Set<Integer> left = new TreeSet<>();
    private final Map<String, ContractService> others = new ConcurrentHashMap<>();
    private String group = GROUP;
    private String name = "";
    private String id = UUID.randomUUID().toString();
    private long token = 0xfedcba9876543210L;
    private int size;

    ContractService() throws IOException {
        server = started(0);
        port = server.getAddress().getPort();
    }

    /** What this service has of a communicator that is not the first one. */
    @Nullable ContractService named(String other) {
        return others.get(other);
    }

    /** The communicator that a request is about, which begins with its name. */
    private synchronized ContractService about(String path, JsonObject body) throws IOException {
        for (ContractService each : others.values()) {
            if (path.contains(each.id) || each.id.equals(body.getString("communicatorId"))) {
                return each;
            }
        }
        String wanted = path.equals("/v1/communicators") ? body.getString("name", "") : name;
        if (name.isEmpty() || wanted.equals(name)) {
            name = wanted;
            return this;
        }
        ContractService other = others.get(wanted);
        if (other == null) {
            other = new ContractService();
            other.name = wanted;
            other.token = token + 1000 + others.size();
            other.group = "239.192.1." + others.size();
            others.put(wanted, other);
        }
        return other;
    }

    private HttpServer started(int at) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), at);
        HttpServer fresh = HttpServer.create(address, 64);
        fresh.setExecutor(threads);
        fresh.createContext("/v1/", this::handle);
        fresh.start();
        return fresh;
    }

    /** Goes away, and keeps what it knows, as a database would. */
    void stop() {
        server.stop(0);
    }

    /** Comes back where it was after {@link #stop}. */
    void startAgain() throws IOException {
        server = started(port);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    private record Reply(int status, JsonObject body) {
        static Reply problem(int status, String name, JsonObject extra) {
            extra.put("type", "urn:madcast:problem:" + name);
            extra.put("title", name);
            return new Reply(status, extra);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String text =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            JsonObject body = text.isEmpty() ? new JsonObject() : JsonParser.object().from(text);
            String path = exchange.getRequestURI().getPath();
            seen.add(exchange.getRequestMethod() + " " + path);
            if (unanswered.getAndUpdate(it -> Math.max(0, it - 1)) > 0) {
                Thread.sleep(Duration.ofDays(1)); // until it is closed
            }
            Reply reply = about(path, body).reply(exchange, path, body);
            String type = reply.status() < 400 ? "application/json" : "application/problem+json";
            exchange.getResponseHeaders().set("Content-Type", type);
            byte[] bytes = JsonWriter.string(reply.body()).getBytes(StandardCharsets.UTF_8);
            boolean empty = reply.status() == 204;
            exchange.sendResponseHeaders(reply.status(), empty ? -1 : bytes.length);
            if (!empty) {
                exchange.getResponseBody().write(bytes);
            }
        } catch (JsonParserException malformed) {
            throw new IOException(malformed);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Reply reply(HttpExchange exchange, String path, JsonObject body)
            throws InterruptedException, JsonParserException {
        if (unavailable > 0) {
            unavailable--;
            return new Reply(503, new JsonObject());
        }
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        if (!bearer.isEmpty() && !("Bearer " + bearer).equals(token)) {
            return Reply.problem(401, "unauthorized", new JsonObject());
        }
        String owner = exchange.getRequestHeaders().getFirst("Madcast-Owner-Secret");
        if (!ownerSecret.isEmpty() && !ownerSecret.equals(owner)) {
            return Reply.problem(403, "foreign-owner", new JsonObject());
        }
        String member = "/v1/communicators/" + id + "/members/";
        String method = exchange.getRequestMethod();
        if (path.equals("/v1/communicators")) {
            return make(body);
        }
        if (path.equals("/v1/communicators/" + id)) {
            awaitMembers(exchange.getRequestURI().getQuery());
            return new Reply(200, communicator(true));
        }
        if (path.equals("/v1/reports")) {
            reports.add(body);
            return advice();
        }
        if (path.startsWith(member) && path.endsWith("/reports") && takesRelayed) {
            body.getArray("reports").forEach(it -> reports.add((JsonObject) it));
            return advice();
        }
        if (path.startsWith(member) && method.equals("PUT")) {
            return register(Integer.parseInt(path.substring(member.length())), body);
        }
        if (path.startsWith("/v1/leases")) {
            return new Reply(method.equals("DELETE") ? 204 : 200, lease());
        }
        if (path.endsWith("/renewal")) {
            JsonObject renewed = new JsonObject();
            renewed.put("leaseExpiresAt", Instant.now().plus(lease).toString());
            return new Reply(renewalStatus, renewed);
        }
        boolean leaves = path.startsWith(member) && method.equals("DELETE");
        if (leaves) {
            leave(Integer.parseInt(path.substring(member.length())));
        }
        return new Reply(leaves ? 204 : 404, new JsonObject());
    }

    private void leave(int rank) {
        left.add(rank);
        if (left.equals(members.keySet())) {
            left.clear();
            members.clear();
            size = 0;
            id = UUID.randomUUID().toString();
            token++;
        }
    }

    private static Reply advice() {
        JsonObject advice = new JsonObject();
        advice.put("rootDelayMicros", 250);
        JsonObject site = new JsonObject();
        site.put("site", "64KiB..");
        site.put("rootDelayMicros", 700);
        JsonArray sites = new JsonArray();
        sites.add(site);
        advice.put("sites", sites);
        return new Reply(200, advice);
    }

    private JsonObject lease() {
        JsonObject group = new JsonObject();
        group.put("address", FRESH_GROUP);
        group.put("port", PORT);
        JsonArray groups = new JsonArray();
        groups.add(group);
        JsonObject leased = new JsonObject();
        leased.put("id", "5f0c2b4e-0000-4000-8000-000000000002");
        leased.put("secret", "lease-secret");
        leased.put("scope", "default");
        leased.put("groups", groups);
        leased.put("expiresAt", Instant.now().plus(lease).toString());
        return leased;
    }

    private Reply make(JsonObject body) throws JsonParserException {
        int wanted = body.getInt("size");
        if (size != 0 && size != wanted) {
            JsonObject extra = new JsonObject();
            extra.put("expectedSize", size);
            return Reply.problem(409, "size-mismatch", extra);
        }
        size = wanted;
        return new Reply(200, communicator(false));
    }

    private Reply register(int rank, JsonObject body) {
        if (rank >= size) {
            return Reply.problem(400, "rank-out-of-range", new JsonObject());
        }
        JsonObject holder = members.get(rank);
        if (holder != null && !holder.getString("instance").equals(body.getString("instance"))) {
            JsonObject extra = new JsonObject();
            extra.put("rank", rank);
            extra.put("holder", holder.getString("host") + ":" + holder.getInt("pid"));
            return Reply.problem(409, "rank-taken", extra);
        }
        body.put("rank", rank);
        members.put(rank, body);
        notifyAll();
        JsonObject registered = new JsonObject();
        registered.put("rank", rank);
        registered.put("memberSecret", "secret-" + rank);
        registered.put("expiresAt", Instant.now().plus(lease).toString());
        return new Reply(200, registered);
    }

    private void awaitMembers(String query) throws InterruptedException {
        long waitNs = 1_000_000_000L * Long.parseLong(query.substring("waitSeconds=".length()));
        long deadlineNs = System.nanoTime() + waitNs;
        long leftMs = waitNs / 1_000_000;
        while (members.size() < size && leftMs > 0) {
            wait(leftMs);
            leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
        }
    }

    private JsonObject communicator(boolean withMembers) throws JsonParserException {
        JsonObject leased = new JsonObject();
        leased.put("id", "5f0c2b4e-0000-4000-8000-000000000001");
        leased.put("scope", "default");
        leased.put("pool", "239.192.0.0/14");
        leased.put("address", group);
        leased.put("port", PORT);
        leased.put("expiresAt", Instant.now().plus(lease).toString());
        JsonObject found = new JsonObject();
        found.put("id", id);
        found.put("size", size);
        found.put("token", Long.toHexString(token));
        found.put("lease", leased);
        found.put("complete", members.size() == size);
        if (withMembers) {
            JsonArray table = new JsonArray();
            table.addAll(members.values());
            found.put("members", table);
            if (!topology.isEmpty() && members.size() == size) {
                found.put("topology", JsonParser.object().from(topology));
            }
        }
        return found;
    }

    /** Dies at once, like a service whose host lost power. */
    @Override
    public void close() {
        others.values().forEach(ContractService::close);
        server.stop(0);
        threads.shutdownNow();
    }
}
