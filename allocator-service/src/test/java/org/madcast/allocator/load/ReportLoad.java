package org.madcast.allocator.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports as many communicators do, and what that costs the service:
 *
 * <pre>java -cp ... org.madcast.allocator.load.ReportLoad PORT PID COMMUNICATORS RANKS SECONDS...
 * </pre>
 *
 * Every rank reports each 5 s; the first of each 32 ranks passes on what these report, as {@code
 * client-lib} does, or with {@code -Dalone=true} each speaks for itself, as where ranks do not
 * reach each other by TCP. The ranks of one communicator report together, as they do when they met
 * at the same time; the communicators are spread over the 5 s. PID is the service's process, whose
 * processor time is read from /proc, from 10 s on. With several SECONDS each stretch up to one of
 * them is measured apart, since the JVM goes on compiling for minutes. Ends with 1 when a report
 * was lost.
 */
public final class ReportLoad {

    private static final Duration PERIOD = Duration.ofSeconds(5);

    /** All are kept; a report that finds none free waits, which its latency includes. */
    private static final int CONNECTIONS = 800;

    /** How many ranks one speaks for. */
    private static final int BLOCK = Boolean.getBoolean("alone") ? 1 : 32;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String REST_OF_BODY =
            """
            ,"repairP99Ns":1500000},"rejected":{},"dropped":0,
             "broadcasts":[{"sizeClass":"64KiB..","algorithm":"once","count":300,"bytes":30000000,
                "buckets":{"78":40,"80":160,"81":50,"84":30,"88":17,"104":3},
                "arrivals":{"early":{"60":100,"70":50},"late":{"30":100,"40":50},
                    "lostLate":0,"lostLateNs":0},
                "durationNs":{"p50":1000000,"p99":8000000,"max":9000000,"sum":420000000}}]}
            """;

    private final PlainHttp http;
    private final int communicators;
    private final int ranks;
    private final List<Rank[]> all = new ArrayList<>();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final ConcurrentLinkedQueue<Long> latenciesNs = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> pagesNs = new ConcurrentLinkedQueue<>();
    private final Semaphore open = new Semaphore(CONNECTIONS);

    private ReportLoad(int port, int communicators, int ranks) {
        this.http = new PlainHttp(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        this.communicators = communicators;
        this.ranks = ranks;
    }

    private record Rank(String communicator, int number, UUID instance, String secret) {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        ReportLoad load =
                new ReportLoad(
                        Integer.parseInt(args[0]),
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[3]));
        load.join();
        System.out.println("joined; reporting");
        List<Integer> ends = Stream.of(args).skip(4).map(Integer::valueOf).toList();
        boolean lost = load.run(Path.of("/proc", args[1]), ends);
        System.exit(lost ? 1 : 0);
    }

    private void join() throws InterruptedException {
        for (int i = 0; i < communicators; i++) {
            all.add(new Rank[ranks]);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < communicators; i++) {
                int number = i;
                threads.execute(() -> join(number));
            }
        }
        for (Rank[] each : all) {
            if (each[ranks - 1] == null) {
                throw new IllegalStateException("a communicator could not be made");
            }
        }
    }

    private void join(int number) {
        try {
            tryJoin(number);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void tryJoin(int number) throws IOException {
        String body =
                "{\"job\":\"load-%s-%d\",\"name\":\"world\",\"size\":%d,\"durationSeconds\":3600}"
                        .formatted(UUID.randomUUID(), number, ranks);
        JsonNode made = JSON.readTree(http.send("POST", "/v1/communicators", "", body).body());
        String id = made.path("id").asString();
        for (int rank = 0; rank < ranks; rank++) {
            UUID instance = UUID.randomUUID();
            String member =
                    """
                    {"address":"10.0.%d.%d","port":4000,"host":"n%d","pid":7,"instance":"%s",
                     "receiveBufferBytes":4194304,"datagramBytes":1472}
                    """
                            .formatted(number % 250, rank + 1, rank, instance);
            String path = "/v1/communicators/" + id + "/members/" + rank;
            JsonNode joined = JSON.readTree(http.send("PUT", path, "", member).body());
            all.get(number)[rank] =
                    new Rank(id, rank, instance, joined.path("memberSecret").asString());
        }
    }

    private boolean run(Path process, List<Integer> ends) throws Exception {
        int seconds = ends.getLast();
        long rounds = seconds / PERIOD.toSeconds();
        long startNs = System.nanoTime() + 1_000_000_000L;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.execute(() -> look(startNs + Duration.ofSeconds(seconds).toNanos()));
            ThreadTimes before = ThreadTimes.of(process);
            for (int round = 0; round < rounds; round++) {
                send(threads, round, startNs + PERIOD.toNanos() * round);
                int passed = (int) PERIOD.toSeconds() * (round + 1);
                if (round == 1 || ends.contains(passed)) {
                    ThreadTimes now = ThreadTimes.of(process);
                    print(passed, now.since(before));
                    before = now;
                }
            }
        }
        long sent = rounds * communicators * ranks;
        System.out.printf(
                "%d reports, %d accepted, %d failed%n", sent, accepted.get(), failed.get());
        return accepted.get() != sent;
    }

    private void send(ExecutorService threads, int round, long dueNs) throws InterruptedException {
        for (int i = 0; i < communicators; i++) {
            long mineNs = dueNs + PERIOD.toNanos() * i / communicators;
            Thread.sleep(Duration.ofNanos(Math.max(0, mineNs - System.nanoTime())));
            List<Rank> members = List.of(all.get(i));
            for (int first = 0; first < ranks; first += BLOCK) {
                List<Rank> block = members.subList(first, Math.min(ranks, first + BLOCK));
                threads.execute(() -> report(block, round + 1));
            }
        }
    }

    private void print(int passed, String used) {
        List<Long> reports = drained(latenciesNs);
        List<Long> pages = drained(pagesNs);
        System.out.printf(
                Locale.ROOT,
                "up to %d s, %s; report p50 %.0f ms, p99 %.0f ms of %d; pages p50 %.0f ms, p95 %.0f"
                        + " ms of %d%n",
                passed,
                used,
                percentileMs(reports, 0.5),
                percentileMs(reports, 0.99),
                reports.size(),
                percentileMs(pages, 0.5),
                percentileMs(pages, 0.95),
                pages.size());
    }

    private static List<Long> drained(ConcurrentLinkedQueue<Long> queue) {
        List<Long> all = new ArrayList<>();
        for (Long each = queue.poll(); each != null; each = queue.poll()) {
            all.add(each);
        }
        return all;
    }

    private void report(List<Rank> block, int sequence) {
        Rank first = block.getFirst();
        String path =
                block.size() == 1
                        ? "/v1/reports"
                        : "/v1/communicators/%s/members/%d/reports"
                                .formatted(first.communicator(), first.number());
        String body = block.size() == 1 ? body(first, sequence) : together(block, sequence);
        long startNs = System.nanoTime();
        open.acquireUninterruptibly();
        try {
            String secret = "Madcast-Member-Secret: " + first.secret() + "\r\n";
            PlainHttp.Answer answer = http.send("POST", path, secret, body);
            (answer.status() == 200 ? accepted : failed).addAndGet(block.size());
        } catch (IOException failure) {
            failed.addAndGet(block.size());
        } finally {
            open.release();
        }
        latenciesNs.add(System.nanoTime() - startNs);
    }

    private static String together(List<Rank> block, int sequence) {
        return block.stream()
                .map(it -> body(it, sequence))
                .collect(
                        Collectors.joining(
                                ",",
                                "{\"instance\":\""
                                        + block.getFirst().instance()
                                        + "\",\"reports\":[",
                                "]}"));
    }

    /** Put together, not formatted: that would cost the generator more than sending it. */
    private static String body(Rank rank, int sequence) {
        long useful = 20_000L * sequence;
        long lost = useful * (rank.number() % 7) / 1000;
        return "{\"communicatorId\":\""
                + rank.communicator()
                + "\",\"rank\":"
                + rank.number()
                + ",\"instance\":\""
                + rank.instance()
                + "\",\"sequence\":"
                + sequence
                + ",\"socketPath\":\"native\",\"counters\":{\"broadcasts\":"
                + 300L * sequence
                + ",\"messageBytes\":"
                + 30_000_000L * sequence
                + ",\"datagramsSent\":"
                + 700L * sequence
                + ",\"datagramsReceived\":"
                + 21_000L * sequence
                + ",\"fragmentsUseful\":"
                + useful
                + ",\"fragmentsLost\":"
                + lost
                + ",\"repairsReceived\":"
                + lost
                + REST_OF_BODY;
    }

    /** Somebody looks at pages meanwhile. */
    private void look(long untilNs) {
        try {
            lookUntil(untilNs);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookUntil(long untilNs) throws IOException, InterruptedException {
        String[] paths = {
            "/",
            "/leases",
            "/communicators/" + all.getFirst()[0].communicator(),
            "/fragments/overview"
        };
        for (int i = 0; System.nanoTime() < untilNs; i++) {
            long startNs = System.nanoTime();
            PlainHttp.Answer answer = http.send("GET", paths[i % paths.length], "", "");
            if (answer.status() != 200) {
                throw new IllegalStateException(answer.body());
            }
            pagesNs.add(System.nanoTime() - startNs);
            Thread.sleep(Duration.ofMillis(250));
        }
    }

    private static double percentileMs(List<Long> valuesNs, double share) {
        List<Long> sorted = valuesNs.stream().sorted().toList();
        return sorted.isEmpty()
                ? 0
                : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share)) / 1e6;
    }
}
