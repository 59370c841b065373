package org.madcast.agent.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.madcast.agent.probe.Aspect.Kind;
import org.madcast.agent.probe.ProbeResult.RateStep;
import org.madcast.agent.probe.ProbeResult.Tried;
import org.madcast.agent.probe.ProbeResult.Watch;

/**
 * Tries everything between all points: each in turn sends to the group and to the others, then the
 * first one sends at rising rates, then, when asked for, watches how long multicast goes on. For
 * one thread.
 */
final class Probe {

    private static final int SMALL_COUNT = 20;
    private static final int COUNT = 10;
    private static final int UNICAST_TRAINS = 1_000;
    private static final int RATE_TRAINS = 100_000;
    private static final int WATCH_TRAIN = 200_000;
    private static final Duration BRIEF = Duration.ofMillis(5);
    private static final Duration STEP = Duration.ofMillis(200);
    private static final Duration SETTLES = Duration.ofMillis(60);
    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    private static final Duration DEAD = Duration.ofSeconds(6);

    /**
     * What is tried.
     *
     * @param group the group, with its port
     * @param otherGroups to compare with, {@link Aspect#OTHER_GROUPS} of them
     * @param ttl of the datagrams to the group
     * @param bufferBytes the receive buffer that all ask for
     * @param mostBitsPerSecond the highest rate
     * @param watch for how long multicast is watched; zero when it is not
     */
    record Options(
            InetSocketAddress group,
            List<InetAddress> otherGroups,
            int ttl,
            int bufferBytes,
            long mostBitsPerSecond,
            Duration watch) {}

    /** Hears how far it is. */
    interface Listener {
        /** The part that is done, from 0 to 1. */
        void at(double part, String doing);
    }

    private final Options options;
    private final List<ProbeNode> nodes;
    private final List<ProbeFacts> facts;
    private final ProbeMatrix matrix;
    private final Listener listener;
    private final long startNs = System.nanoTime();

    /** Between these, which are open, and of which the first is this machine. */
    Probe(Options options, List<ProbeNode> nodes, List<ProbeFacts> facts, Listener listener) {
        this.options = options;
        this.nodes = nodes;
        this.facts = facts;
        this.matrix = new ProbeMatrix(nodes.size());
        this.listener = listener;
    }

    /** Runs it. */
    ProbeResult run() throws IOException, InterruptedException {
        for (int sender = 0; sender < nodes.size(); sender++) {
            listener.at((double) sender / nodes.size(), "from " + facts.get(sender).node());
            tryFrom(sender);
        }
        List<RateStep> steps = tryRates();
        Optional<Watch> watch =
                options.watch().isPositive() ? Optional.of(watch()) : Optional.empty();
        return conclude(steps, watch);
    }

    private ProbeResult conclude(List<RateStep> steps, Optional<Watch> watch) throws IOException {
        List<Long> overflowed = new ArrayList<>();
        Map<String, Integer> queries = new TreeMap<>();
        for (ProbeNode node : nodes) {
            ProbeNode.Counts counts = node.counts(0);
            overflowed.add(counts.overflowed());
            counts.queries().forEach((querier, count) -> queries.merge(querier, count, Math::max));
        }
        return new ProbeResult(
                new Tried(
                        options.group().getAddress().getHostAddress()
                                + ":"
                                + options.group().getPort(),
                        options.ttl()),
                List.copyOf(facts),
                matrix,
                steps,
                overflowed,
                queries,
                Duration.ofNanos(System.nanoTime() - startNs),
                watch);
    }

    private void tryFrom(int sender) throws IOException, InterruptedException {
        Map<Integer, Aspect> multicast = new HashMap<>();
        Map<Integer, Integer> sent = new HashMap<>();
        for (Aspect aspect : Aspect.ofMulticast(facts.get(sender).largestDatagramBytes())) {
            int number = multicast.size();
            multicast.put(number, aspect);
            sent.put(number, send(sender, train(number, aspect)));
        }
        for (int other = 0; other < nodes.size(); other++) {
            if (other != sender) {
                int number = UNICAST_TRAINS + other;
                sent.put(
                        number,
                        send(
                                sender,
                                new ProbeTrain(
                                        number,
                                        ProbeNode.unicast(facts.get(other)),
                                        Aspect.SMALL_BYTES,
                                        COUNT,
                                        options.ttl(),
                                        BRIEF)));
            }
        }
        List<Map<Integer, TrainCount>> arrived = settle(sender, sent);
        for (int other = 0; other < nodes.size(); other++) {
            Map<Integer, TrainCount> counts = arrived.get(other);
            for (Map.Entry<Integer, Aspect> entry : multicast.entrySet()) {
                matrix.set(entry.getValue(), sender, other, share(counts, sent, entry.getKey()));
            }
            matrix.set(Aspect.UNICAST, sender, other, share(counts, sent, UNICAST_TRAINS + other));
        }
    }

    private static double share(
            Map<Integer, TrainCount> counts, Map<Integer, Integer> sent, int number) {
        TrainCount count = counts.get(number);
        int all = sent.getOrDefault(number, 0);
        return count == null || all == 0 ? 0 : (double) count.received() / all;
    }

    /** How many were sent; none when the point cannot send such datagrams at all. */
    private int send(int sender, ProbeTrain train) {
        try {
            return nodes.get(sender).send(train);
        } catch (IOException _) {
            return 0; // What it cannot send does not arrive, which is what is asked.
        }
    }

    private ProbeTrain train(int number, Aspect aspect) {
        InetSocketAddress group = options.group();
        if (aspect.kind() == Kind.OTHER_GROUP) {
            group =
                    new InetSocketAddress(
                            options.otherGroups().get(aspect.value() - 1), group.getPort());
        }
        boolean small = aspect.kind() == Kind.GROUP || aspect.kind() == Kind.OTHER_GROUP;
        return new ProbeTrain(
                number,
                group,
                aspect.kind() == Kind.SIZE ? aspect.value() : Aspect.SMALL_BYTES,
                small ? SMALL_COUNT : COUNT,
                aspect.kind() == Kind.TTL ? aspect.value() : options.ttl(),
                BRIEF);
    }

    /**
     * Waits until nothing more arrives of what was sent, by train; what has arrived, for each point
     * and train.
     */
    private List<Map<Integer, TrainCount>> settle(int sender, Map<Integer, Integer> sent)
            throws IOException, InterruptedException {
        QuiescenceDetector settling = new QuiescenceDetector(System.nanoTime());
        while (true) {
            Thread.sleep(SETTLES);
            List<Map<Integer, TrainCount>> counts = new ArrayList<>();
            long all = 0;
            for (ProbeNode node : nodes) {
                Map<Integer, TrainCount> byTrain = new HashMap<>();
                for (TrainCount count : node.counts(sender).trains()) {
                    byTrain.put(count.train(), count);
                    all += count.received();
                }
                counts.add(byTrain);
            }
            if (settling.isOver(System.nanoTime(), all, isComplete(counts, sender, sent))) {
                return counts;
            }
        }
    }

    /** Whether all points but the sender have all of what was sent to them. */
    private static boolean isComplete(
            List<Map<Integer, TrainCount>> counts, int sender, Map<Integer, Integer> sent) {
        return IntStream.range(0, counts.size())
                .filter(point -> point != sender)
                .allMatch(point ->
                        sent.entrySet().stream()
                                .filter(train -> isFor(point, train.getKey()))
                                .filter(train -> train.getValue() > 0)
                                .allMatch(train ->
                                        share(counts.get(point), sent, train.getKey()) >= 1));
    }

    /** Trains by unicast are for one point, all others for every one. */
    private static boolean isFor(int point, int train) {
        return train < UNICAST_TRAINS || train >= RATE_TRAINS || train == UNICAST_TRAINS + point;
    }

    /** Rising rates, until the sender itself cannot send faster. */
    private List<RateStep> tryRates() throws IOException, InterruptedException {
        RateSteps steps = new RateSteps(options.mostBitsPerSecond());
        int largest = facts.stream().mapToInt(ProbeFacts::largestDatagramBytes).min().orElseThrow();
        int train = RATE_TRAINS;
        for (long offered = steps.next(); offered > 0; offered = steps.next()) {
            listener.at(1, "at " + offered / 1_000_000 + " Mbit/s");
            steps.add(tryRate(train++, offered, largest));
        }
        return steps.tried();
    }

    private RateStep tryRate(int number, long bitsPerSecond, int bytes)
            throws IOException, InterruptedException {
        int count = (int) Math.max(8, bitsPerSecond * STEP.toMillis() / 8000 / bytes);
        int sent =
                send(0, new ProbeTrain(number, options.group(), bytes, count, options.ttl(), STEP));
        List<Map<Integer, TrainCount>> arrived = settle(0, Map.of(number, sent));
        return new RateStep(
                bitsPerSecond,
                each(arrived, number, Probe::bitsPerSecond),
                each(arrived, number, train -> (double) train.received() / Math.max(1, sent)));
    }

    private static List<Double> each(
            List<Map<Integer, TrainCount>> arrived, int number, ToDoubleFunction<TrainCount> of) {
        TrainCount nothing = new TrainCount(number, 0, 0, 0, 0);
        return arrived.stream()
                .map(counts -> of.applyAsDouble(counts.getOrDefault(number, nothing)))
                .toList();
    }

    /** The first datagram only starts the clock. */
    private static double bitsPerSecond(TrainCount train) {
        double counted =
                (double) train.bytes() * (train.received() - 1) / Math.max(1, train.received());
        return train.spanNs() == 0 ? 0 : counted * 8e9 / train.spanNs();
    }

    private Watch watch() throws IOException, InterruptedException {
        ProbeTrain beat =
                new ProbeTrain(
                        WATCH_TRAIN,
                        options.group(),
                        Aspect.SMALL_BYTES,
                        1,
                        options.ttl(),
                        Duration.ZERO);
        List<Duration> silent;
        Duration lasted;
        do {
            int _ = send(0, beat);
            Thread.sleep(HEARTBEAT);
            lasted = Duration.ofNanos(System.nanoTime() - startNs);
            silent = silence(lasted);
            listener.at(
                    (double) lasted.toMillis() / options.watch().toMillis(), "watching the group");
        } while (lasted.compareTo(options.watch()) < 0 && !allDead(silent));
        return new Watch(lasted, silent);
    }

    private static boolean allDead(List<Duration> silent) {
        return silent.stream().skip(1).allMatch(one -> one.compareTo(DEAD) > 0);
    }

    private List<Duration> silence(Duration atMost) throws IOException {
        List<Duration> silent = new ArrayList<>();
        for (ProbeNode node : nodes) {
            silent.add(
                    node.counts(0).trains().stream()
                            .map(train -> Duration.ofNanos(train.ageNs()))
                            .min(Duration::compareTo)
                            .orElse(atMost));
        }
        return silent;
    }
}
