package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.lab.Lab;
import org.madcast.lab.LabHost;

/**
 * A job in the lab: rank r is a process of its own on host r. What ranks are told is under way
 * while the test makes its faults; every wait has an end.
 */
final class FaultJob implements AutoCloseable {

    /** What the ranks' JVMs may use; the ring of fragments and the messages are outside of it. */
    private static final String HEAP = "-Xmx48m";

    /** Instead of threads: none of the process runs ({@link StandStill}). */
    static final int STANDING_STILL = -1;

    /** For the start of the ranks, which takes long where other tests keep all processors busy. */
    private static final Duration JOIN = Duration.ofMinutes(2);

    private final Children children = new Children();
    private final List<BlockingQueue<String>> answers = new ArrayList<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Lab lab;
    private InetSocketAddress group = new InetSocketAddress(0);
    private long token;
    private int next;
    private long toldNs;

    private FaultJob(Lab lab) {
        this.lab = lab;
    }

    /**
     * Starts ranks on the first hosts of the lab, with these variables, and awaits their meeting:
     * at the service that they name, or at rank 0. With both places, ranks of a busy machine could
     * do without the service.
     */
    static FaultJob start(Lab lab, int ranks, Map<String, String> variables) throws Exception {
        FaultJob job = new FaultJob(lab);
        try {
            RankEnvironment environment = new RankEnvironment("faults", ranks);
            if (!variables.containsKey("MADCAST_SERVICE")) {
                String root = lab.host(0).address().getHostAddress();
                environment.root(root, freePort(lab.host(0)));
            }
            environment.with("MADCAST_JOIN_TIMEOUT", JOIN.toSeconds() + "s");
            variables.forEach(environment::with);
            for (int rank = 0; rank < ranks; rank++) {
                job.startRank(rank, environment);
            }
            job.awaitJoined();
            return job;
        } catch (Exception | AssertionError e) {
            job.close();
            throw e;
        }
    }

    private static int freePort(LabHost host) throws IOException {
        return host.call(() -> {
            try (ServerSocket socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            }
        });
    }

    private void startRank(int rank, RankEnvironment environment) throws IOException {
        Path home = Path.of(System.getProperty("madcast.home"));
        Path built = home.resolve("bcast-agent").resolve("target");
        List<String> java =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Xshare:auto",
                        "-Xms16m",
                        HEAP,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        built.resolve("test-classes") + ":" + built.resolve("lib") + "/*",
                        FaultRank.class.getName());
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        answers.add(said);
        LabHost host = lab.host(rank);
        children.add(
                Child.start(
                        "rank " + rank,
                        host.command(java),
                        environment.of(rank, host.interfaceName()),
                        said::add,
                        line -> complaints.add("rank " + rank + ": " + line)));
    }

    private void awaitJoined() throws InterruptedException {
        long endNs = System.nanoTime() + JOIN.toNanos();
        for (int rank = 0; rank < size(); rank++) {
            String[] words = answer(rank, endNs).split(" ", -1);
            assertThat(words[0]).as(String.join(" ", words)).isEqualTo("joined");
            group = new InetSocketAddress(InetAddress.ofLiteral(words[1]), port(words[2]));
            token = Long.parseUnsignedLong(words[3], 16);
        }
    }

    private static int port(String text) {
        return Integer.parseInt(text);
    }

    int size() {
        return answers.size();
    }

    InetSocketAddress group() {
        return group;
    }

    long token() {
        return token;
    }

    /** Lets all ranks broadcast so many messages; root -1 stands for each in turn. */
    void begin(int count, int bytes, int root) {
        String line = "bcast " + next + " " + count + " " + bytes + " " + root;
        next += count;
        toldNs = System.nanoTime();
        children.all().forEach(child -> child.send(line));
    }

    /**
     * Lets rank 0 broadcast so many messages, to which all others come so much later, having slept
     * or, with threads, having kept so many of them busy, or having stood still.
     */
    void beginLate(int count, int bytes, Duration lateness, int threads) {
        toldNs = System.nanoTime();
        String line = "late " + count + " " + bytes + " " + lateness.toMillis() + " " + threads;
        children.all().forEach(child -> child.send(line));
    }

    /**
     * Lets all ranks do rounds of every kind of operation; {@code bytes} is the length of a part.
     */
    void beginCollectives(int count, int bytes) {
        toldNs = System.nanoTime();
        children.all().forEach(child -> child.send("collectives " + count + " " + bytes));
    }

    /** Lets rank 0 broadcast so many times at two sites, to one of which all others come later. */
    void beginSites(int count, int bytes, Duration lateness) {
        toldNs = System.nanoTime();
        String line = "sites " + count + " " + bytes + " " + lateness.toMillis();
        children.all().forEach(child -> child.send(line));
    }

    /** As {@link #begin} and {@link #await}. */
    List<Outcome> run(int count, int bytes, int root, Duration limit) throws InterruptedException {
        begin(count, bytes, root);
        return await(limit);
    }

    /** What the ranks that are left say of it, within this time from {@link #begin}. */
    List<Outcome> await(Duration limit) throws InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            if (children.all().get(rank).isAlive()) {
                String said = answer(rank, toldNs + limit.toNanos());
                outcomes.add(Outcome.of(rank, said));
            }
        }
        return outcomes;
    }

    /** How long the ranks have been at it. */
    Duration underWay() {
        return Duration.ofNanos(System.nanoTime() - toldNs);
    }

    /** True when some rank has ended its broadcasts already. */
    boolean hasAnswer() {
        return answers.stream().anyMatch(said -> !said.isEmpty());
    }

    private String answer(int rank, long endNs) throws InterruptedException {
        @Nullable String said =
                answers.get(rank).poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (said == null) {
            String others = answers.toString();
            return fail(
                    "rank %d does not answer in time; the others said %s; errors: %s; it is at:%n%s"
                            .formatted(rank, others, complaints, stacks(rank)));
        }
        return said;
    }

    /** Where the threads of a rank are, as the JVM itself says. */
    private String stacks(int rank) throws InterruptedException {
        try {
            String pid = Long.toString(children.all().get(rank).pid());
            new ProcessBuilder("kill", "-QUIT", pid).start().waitFor();
        } catch (IOException e) {
            return "unknown: " + e;
        }
        StringBuilder text = new StringBuilder();
        String line;
        while ((line = answers.get(rank).poll(2, TimeUnit.SECONDS)) != null) {
            if (line.contains("madcast")) {
                text.append(line).append(System.lineSeparator());
            }
        }
        return text.toString();
    }

    /** A counter of each rank, by the name that it has in the statistics. */
    Map<String, Long> statistics(int rank) throws InterruptedException {
        children.all().get(rank).send("statistics");
        String said = answer(rank, System.nanoTime() + JOIN.toNanos());
        Map<String, Long> values = new HashMap<>();
        List<String> fields = Arrays.asList(said.split(" ", -1));
        for (String field : fields.subList(1, fields.size())) {
            String[] parts = field.split("=", 2);
            values.put(parts[0], Long.parseLong(parts[1]));
        }
        return values;
    }

    /** The sum of a counter over all ranks. */
    long total(String counter) throws InterruptedException {
        long sum = 0;
        for (int rank = 0; rank < size(); rank++) {
            sum += statistics(rank).getOrDefault(counter, 0L);
        }
        return sum;
    }

    /** What the links of the ranks' hosts have carried, both ways, Ethernet headers included. */
    long wireBytes() {
        return IntStream.range(0, size())
                .mapToObj(lab::counters)
                .mapToLong(host -> host.sentBytes() + host.receivedBytes())
                .sum();
    }

    /** The most memory that any rank has ever had resident. */
    long peakResidentBytes() {
        return children.all().stream()
                .filter(Child::isAlive)
                .mapToLong(child -> peakResidentBytes(child.pid()))
                .max()
                .orElseThrow();
    }

    private static long peakResidentBytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends a rank as a crash does. */
    void kill(int rank) throws InterruptedException {
        Child victim = children.all().get(rank);
        victim.kill();
        assertThat(victim.await(Duration.ofSeconds(5))).isTrue();
    }

    /** All ranks leave, as they do when nothing is wrong, and tell their last statistics. */
    void leave(Duration limit) throws InterruptedException {
        children.all().forEach(child -> child.send("leave"));
        for (Child each : children.all()) {
            assertThat(each.await(limit)).isTrue();
        }
    }

    @Override
    public void close() {
        // Nobody is asked to leave first: what follows a fault must not depend on a good-bye.
        children.all().forEach(Child::kill);
        children.end(Duration.ofSeconds(5));
    }
}
