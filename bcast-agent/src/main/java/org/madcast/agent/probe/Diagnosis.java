package org.madcast.agent.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.madcast.agent.probe.Aspect.Kind;
import org.madcast.agent.probe.Finding.Trouble;
import org.madcast.agent.probe.PairSet.Pair;
import org.madcast.agent.probe.ProbeResult.RateStep;
import org.madcast.agent.probe.ProbeResult.Watch;
import org.madcast.agent.terminal.Units;

/**
 * Says what is wrong, from what a probe saw. Decides only. What explains a failure is looked for
 * from the particular to the general: another interface, a TTL that would do, another group that
 * passes, unicast that passes.
 */
final class Diagnosis {

    /** Less than this, and a burst of a broadcast may overflow it. */
    static final long ENOUGH_BUFFER_BYTES = 1 << 20;

    private static final double SLOW = 0.6;
    private static final double LOSSY = 0.995;
    private static final Duration SILENT = Duration.ofSeconds(4);

    private final ProbeResult result;
    private final ProbeMatrix matrix;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<Integer> explained = new TreeSet<>();

    private Diagnosis(ProbeResult result) {
        this.result = result;
        this.matrix = result.matrix();
    }

    /** Everything that is wrong; empty when nothing is. */
    static List<Finding> of(ProbeResult result) {
        Diagnosis diagnosis = new Diagnosis(result);
        diagnosis.wrongInterfaces();
        diagnosis.silentPairs();
        diagnosis.sizes();
        diagnosis.buffers();
        diagnosis.congestionControls();
        diagnosis.rates();
        result.watch().ifPresent(diagnosis::watched);
        return List.copyOf(diagnosis.findings);
    }

    /** Whether a receiver that keeps up loses enough at this rate to be reported. */
    static boolean losesSome(RateStep step) {
        return step.shares().stream().skip(1).anyMatch(share -> share >= SLOW && share < LOSSY);
    }

    private void find(Trouble trouble, List<String> nodes, String what, String cure) {
        findings.add(new Finding(trouble, nodes, what, cure));
    }

    private List<String> names(Set<Integer> points) {
        return points.stream().map(result::name).toList();
    }

    private void wrongInterfaces() {
        for (int point = 0; point < matrix.size(); point++) {
            ProbeFacts facts = result.facts().get(point);
            if (facts.usesAnotherInterface()
                    && !matrix.isHeard(Aspect.GROUP, point)
                    && !matrix.hears(Aspect.GROUP, point)) {
                explained.add(point);
                find(
                        Trouble.WRONG_INTERFACE,
                        List.of(facts.node()),
                        facts.node()
                                + " uses "
                                + facts.interfaceName()
                                + " for multicast, over which it hears no node, while "
                                + facts.leadingInterface()
                                + " leads to the others",
                        "start its agent with --interface "
                                + facts.leadingInterface()
                                + ", and its ranks with MADCAST_INTERFACE="
                                + facts.leadingInterface());
            }
        }
    }

    /** Between whom nothing comes, and why. */
    private void silentPairs() {
        PairSet blocked = new PairSet(points());
        PairSet muted = new PairSet(points());
        PairSet dead = new PairSet(points());
        Map<Integer, PairSet> byTtl = new TreeMap<>();
        for (Pair pair : pairs()) {
            if (matrix.passes(Aspect.GROUP, pair.sender(), pair.receiver())) {
                continue;
            }
            int ttl = neededTtl(pair);
            if (ttl > result.tried().ttl()) {
                byTtl.computeIfAbsent(ttl, _ -> new PairSet(points())).add(pair);
            } else if (anotherGroupPasses(pair)) {
                blocked.add(pair);
            } else if (matrix.passes(Aspect.UNICAST, pair.sender(), pair.receiver())) {
                muted.add(pair);
            } else {
                dead.add(pair);
            }
        }
        byTtl.forEach(this::ttlTooSmall);
        blocked(blocked);
        new SilenceDiagnosis(result, points(), findings).explain(muted);
        dead(dead);
    }

    /** Those whose silence is not explained yet. */
    private Set<Integer> points() {
        return IntStream.range(0, matrix.size())
                .filter(point -> !explained.contains(point))
                .boxed()
                .collect(Collectors.toSet());
    }

    private List<Pair> pairs() {
        return PairSet.all(matrix.size()).stream()
                .filter(pair -> !explained.contains(pair.sender()))
                .filter(pair -> !explained.contains(pair.receiver()))
                .toList();
    }

    private int neededTtl(Pair pair) {
        return Aspect.ttls().stream()
                .filter(ttl ->
                        matrix.passes(new Aspect(Kind.TTL, ttl), pair.sender(), pair.receiver()))
                .findFirst()
                .orElse(0);
    }

    private boolean anotherGroupPasses(Pair pair) {
        return IntStream.rangeClosed(1, Aspect.OTHER_GROUPS)
                .anyMatch(other ->
                        matrix.passes(
                                new Aspect(Kind.OTHER_GROUP, other),
                                pair.sender(),
                                pair.receiver()));
    }

    private void ttlTooSmall(int ttl, PairSet pairs) {
        find(
                Trouble.TTL_TOO_SMALL,
                names(pairs.receivers()),
                "datagrams of TTL "
                        + result.tried().ttl()
                        + " do not pass "
                        + pairs.describe(result::name)
                        + "; those of TTL "
                        + ttl
                        + " do: there are routers between",
                "set MADCAST_TTL=" + ttl + " on all ranks, or the ttl of the service's scope");
    }

    private void blocked(PairSet pairs) {
        if (!pairs.isEmpty()) {
            find(
                    Trouble.BLOCKED_GROUP,
                    names(pairs.receivers()),
                    "group "
                            + result.tried().group()
                            + " does not pass "
                            + pairs.describe(result::name)
                            + ", while other groups do",
                    "look for filters of that group (IGMP profile or access list of the switch,"
                            + " firewall of the host), or take it out of the service's scope");
        }
    }

    private void dead(PairSet pairs) {
        if (!pairs.isEmpty()) {
            find(
                    Trouble.NO_DATAGRAMS,
                    names(pairs.receivers()),
                    "no UDP datagram passes "
                            + pairs.describe(result::name)
                            + ", neither multicast nor unicast",
                    "open UDP between them in their firewalls (nft list ruleset) and in the"
                            + " network's");
        }
    }

    private void sizes() {
        Map<Integer, PairSet> byLimit = new TreeMap<>();
        for (Pair pair : pairs()) {
            if (matrix.passes(Aspect.GROUP, pair.sender(), pair.receiver()) && isCut(pair)) {
                byLimit.computeIfAbsent(limit(pair), _ -> new PairSet(points())).add(pair);
            }
        }
        byLimit.forEach(this::large);
    }

    /** Whether what fits into the sender's frames does not pass. */
    private boolean isCut(Pair pair) {
        return limit(pair) < sizes(pair).getLast();
    }

    private List<Integer> sizes(Pair pair) {
        return Aspect.sizes(result.facts().get(pair.sender()).largestDatagramBytes());
    }

    /** The largest datagram up to which all sizes pass. */
    private int limit(Pair pair) {
        int limit = Aspect.SMALL_BYTES;
        for (int size : sizes(pair)) {
            if (!matrix.passes(new Aspect(Kind.SIZE, size), pair.sender(), pair.receiver())) {
                break;
            }
            limit = size;
        }
        return limit;
    }

    private void large(int limit, PairSet pairs) {
        find(
                Trouble.LARGE_DATAGRAMS,
                names(pairs.culprits()),
                "datagrams of more than "
                        + limit
                        + " bytes do not pass "
                        + pairs.describe(result::name)
                        + ", though they fit into the interface's frames",
                "give the switch ports and interfaces on the way the same MTU, or set"
                        + " MADCAST_DATAGRAM_SIZE="
                        + limit
                        + " on all ranks");
    }

    private void buffers() {
        for (int point = 0; point < matrix.size(); point++) {
            ProbeFacts facts = result.facts().get(point);
            if (facts.receiveBufferBytes() < ENOUGH_BUFFER_BYTES) {
                long lost = result.overflowed().get(point);
                find(
                        Trouble.SMALL_BUFFER,
                        List.of(facts.node()),
                        facts.node()
                                + " gets a receive buffer of "
                                + Units.size(facts.receiveBufferBytes())
                                + " of the "
                                + Units.size(4 * ENOUGH_BUFFER_BYTES)
                                + " that broadcasts ask for"
                                + (lost > 0 ? "; " + lost + " datagrams overflowed it" : ""),
                        "on it: sysctl -w net.core.rmem_max=16777216, and the same setting in"
                                + " /etc/sysctl.d/60-madcast.conf");
            }
        }
    }

    private void congestionControls() {
        Map<String, List<String>> pacing = new TreeMap<>();
        for (ProbeFacts facts : result.facts()) {
            if (facts.pacesTcp()) {
                pacing.computeIfAbsent(facts.congestionControl(), _ -> new ArrayList<>())
                        .add(facts.node());
            }
        }
        pacing.forEach(this::paced);
    }

    private void paced(String congestionControl, List<String> nodes) {
        boolean single = nodes.size() == 1;
        find(
                Trouble.PACED_TCP,
                List.copyOf(nodes),
                String.join(", ", nodes)
                        + (single ? " uses" : " use")
                        + " the TCP congestion control "
                        + congestionControl
                        + ", which sends in small paced pieces: long messages between ranks are"
                        + " slow where ranks share processors",
                (single ? "on it" : "on each of them")
                        + ": sysctl -w net.ipv4.tcp_congestion_control=cubic, and the same setting"
                        + " in /etc/sysctl.d/60-madcast.conf");
    }

    /** At the highest rate that the network as a whole carries. */
    private void rates() {
        RateStep step = null;
        for (RateStep next : result.steps()) {
            if (next.isCarried()) {
                step = next;
            }
        }
        if (step == null) {
            return;
        }
        for (int point = 1; point < matrix.size(); point++) {
            // The rates were tried with large datagrams.
            if (matrix.passes(Aspect.GROUP, 0, point) && !isCut(new Pair(0, point))) {
                rate(point, step);
            }
        }
    }

    private void rate(int point, RateStep step) {
        double arrived = step.arrived().get(point);
        double share = step.shares().get(point);
        boolean overflowed = result.overflowed().get(point) > 0;
        String name = result.name(point);
        if (arrived < SLOW * step.bestBitsPerSecond() || share < SLOW) {
            find(
                    Trouble.SLOW_RECEIVER,
                    List.of(name),
                    name
                            + " receives "
                            + megabits(arrived * Math.min(1, share))
                            + " where others receive "
                            + megabits(step.bestBitsPerSecond())
                            + (overflowed
                                    ? "; its receive buffer overflows: its processor is busy"
                                    : "; its receive buffer does not overflow: its link is slow"),
                    "look at its link (ethtool: speed, duplex, errors) and load; meanwhile"
                            + " 'push --drop-slow' leaves it behind, MADCAST_RATE spares it");
        } else if (share < LOSSY) {
            find(
                    Trouble.LOSS,
                    List.of(name),
                    String.format(
                            Locale.ROOT,
                            "%s loses %.1f %% at %s",
                            name,
                            100 * (1 - share),
                            megabits((double) step.offeredBitsPerSecond())),
                    overflowed
                            ? "its receive buffer overflows: see its load, and net.core.rmem_max"
                            : "broadcasts repair it, at a cost; look at its cable and port (ethtool"
                                    + " -S), at duplex and at storm control of the switch");
        }
    }

    private static String megabits(double bitsPerSecond) {
        return String.format(Locale.ROOT, "%.3g Mbit/s", bitsPerSecond / 1e6);
    }

    private void watched(Watch watch) {
        Map<String, Duration> stopped = new LinkedHashMap<>();
        for (int point = 1; point < matrix.size(); point++) {
            Duration silent = watch.silentFor().get(point);
            if (matrix.passes(Aspect.GROUP, 0, point) && silent.compareTo(SILENT) > 0) {
                stopped.put(result.name(point), watch.lasted().minus(silent));
            }
        }
        if (stopped.isEmpty()) {
            return;
        }
        Duration first = stopped.values().stream().min(Duration::compareTo).orElseThrow();
        find(
                Trouble.NO_QUERIER,
                List.copyOf(stopped.keySet()),
                "multicast to "
                        + String.join(", ", stopped.keySet())
                        + " stopped "
                        + first.toSeconds()
                        + " s after they joined"
                        + (result.queries().isEmpty() ? ", and no IGMP query was heard" : "")
                        + ": the switch snoops, and no querier asks which hosts still listen",
                "turn on the IGMP querier in one switch or router of this network (on a Linux"
                        + " bridge: ip link set dev BRIDGE type bridge mcast_querier 1), or turn off IGMP snooping");
    }
}
