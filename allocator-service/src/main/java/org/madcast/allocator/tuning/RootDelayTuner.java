package org.madcast.allocator.tuning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long the root of a site's broadcasts should wait before it sends (seed 000, sections
 * 2.3 and 3.2.1). Multicast that comes before a receiver calls is lost where the receiver cannot
 * buffer, and repairing it costs more than waiting would; but a root that waits for nobody holds up
 * all. Siebert left the delay to the user since two broadcasts in one loop may behave oppositely:
 * here each site has a state of its own.
 *
 * <p>Pure: the next state follows from the last one and an observation. It holds that
 *
 * <ol>
 *   <li>the advice is 0 until lateness was seen to cost something, and stays 0 where receivers
 *       buffer;
 *   <li>a delay is advised only when {@link DelayCost} expects it to spare {@link #WORTH} of what a
 *       call takes, {@code patience} observations in a row;
 *   <li>an observation that alone speaks for no delay ends the delay at once and doubles the
 *       patience, so that whatever alternates costs less each time;
 *   <li>a delay with which calls take no less than they did without is halved, and halved again,
 *       before it is given up: how long a repair takes may itself depend on who else is late, so
 *       that less than {@link DelayCost} expects is enough;
 *   <li>with a delay nobody may be late, so what lateness costs is not seen any more: that belief
 *       fades, the delay goes back to 0 for a moment, and comes back if it was right.
 * </ol>
 *
 * <p>A network loses datagrams of those who are in time, too, and no delay helps against that: what
 * asking costs the early is taken off what it costs the late.
 *
 * <p>Arrivals are measured against the data, which comes a delay after the root called; with the
 * delay added they are the program's own and mean the same whatever was advised meanwhile.
 */
public final class RootDelayTuner {

    /** What a delay must spare of a call's time. */
    private static final double WORTH = 0.05;

    /** How much of what was known before an observation is left after it. */
    private static final double MEMORY = 0.8;

    private static final double FADING = 0.99;
    private static final double SLOWLY_FADING = 0.998;
    private static final double NEGLIGIBLE = 1e-3;
    private static final long FEWEST_ARRIVALS = 8;

    /** So large a part of all receivers tells what those in time lose. */
    private static final double TELLING = 0.1;

    private static final int MOST_PATIENCE = 64;
    private static final int SUB_BUCKETS = 16;
    private static final int SETTLING = 1;
    private static final int MOST_HALVINGS = 2;

    private final long ceilingNs;

    /**
     * @param ceilingNs no delay is longer
     */
    public RootDelayTuner(long ceilingNs) {
        this.ceilingNs = ceilingNs;
    }

    /** What is known and advised after an observation. */
    public TunerState next(TunerState state, Observation seen) {
        long many = seen.arrivals().stream().mapToLong(Observation.Arrival::count).sum();
        if (many < FEWEST_ARRIVALS) {
            return state;
        }
        if (state.settling() > 0) {
            return state.settlingFor(state.settling() - 1);
        }
        Map<Long, Double> fresh = sinceRoot(seen, state.delayNs());
        Map<Long, Double> arrivals = remember(state.arrivals(), fresh);
        double rootShare = Math.max(0, seen.calls() - many) / (double) many;
        double callNs = seen.calls() == 0 ? 0 : (double) seen.callsNs() / seen.calls();
        TunerState known =
                state.knowing(
                        arrivals,
                        repairNs(state, seen),
                        earlyNs(state, seen, many),
                        zeroCallNs(state, callNs));
        return decide(known, cost(fresh, known.latenessNs(), rootShare), rootShare, callNs);
    }

    private static @Nullable Double zeroCallNs(TunerState state, double callNs) {
        Double beforeNs = state.zeroCallNs();
        if (state.delayNs() > 0 || callNs == 0) {
            return beforeNs;
        }
        return beforeNs == null ? callNs : (beforeNs + callNs) / 2;
    }

    private TunerState decide(TunerState known, DelayCost lately, double rootShare, double callNs) {
        DelayCost cost = cost(known.arrivals(), known.latenessNs(), rootShare);
        long best = cost.best(ceilingNs);
        double zeroNs = cost.of(0);
        double worthNs = WORTH * Math.max(callNs, zeroNs);
        if (known.delayNs() > 0) {
            boolean halved = known.timesHalved() > 0;
            boolean worse = !halved && lately.of(known.delayNs()) > lately.of(0);
            boolean sparesNothing = sparesNothing(known, rootShare, callNs);
            if (sparesNothing && !worse && known.timesHalved() < MOST_HALVINGS) {
                return advise(
                        known,
                        known.delayNs() / 2,
                        known.timesHalved() + 1,
                        "a longer delay spared nothing");
            }
            if (worse || sparesNothing) {
                int patience = Math.min(MOST_PATIENCE, known.patience() * 2);
                return known.advising(0, 0, patience, "waiting cost more than it spared")
                        .settlingFor(SETTLING);
            }
            if (zeroNs - cost.of(best) < worthNs) {
                return advise(known, 0, 0, "lateness costs nothing any more");
            }
            boolean better = !halved && cost.of(known.delayNs()) - cost.of(best) > worthNs / 2;
            return better ? advise(known, best, 0, why(best)) : known;
        }
        boolean worthIt =
                zeroNs - cost.of(best) >= worthNs && lately.of(0) - lately.of(best) >= worthNs;
        if (best == 0 || !worthIt) {
            String reason =
                    known.latenessNs() < 1
                            ? "receivers buffer what comes early"
                            : "no delay would spare more than it costs";
            return known.waiting(0, reason);
        }
        if (known.good() + 1 < known.patience()) {
            return known.waiting(known.good() + 1, "a delay may be worth it");
        }
        return advise(known, best, 0, why(best));
    }

    /**
     * Whether calls take as long with the delay in force as they did without, the root's wait
     * included.
     */
    private static boolean sparesNothing(TunerState known, double rootShare, double callNs) {
        Double zeroNs = known.zeroCallNs();
        double waitNs = known.delayNs() * rootShare / (1 + rootShare);
        return zeroNs != null && callNs + waitNs > zeroNs;
    }

    private static TunerState advise(TunerState known, long delayNs, int halvings, String reason) {
        return known.advising(delayNs, halvings, known.patience(), reason).settlingFor(SETTLING);
    }

    private static String why(long delayNs) {
        return delayNs < 1_000_000
                ? "receivers call up to " + delayNs / 1000 + " µs after the root"
                : String.format(
                        Locale.ROOT, "receivers call up to %.1f ms after the root", delayNs / 1e6);
    }

    private static DelayCost cost(Map<Long, Double> arrivals, double repairNs, double rootShare) {
        List<Map.Entry<Long, Double>> sorted = new ArrayList<>(new TreeMap<>(arrivals).entrySet());
        double weight = sorted.stream().mapToDouble(Map.Entry::getValue).sum();
        return new DelayCost(sorted, repairNs, weight * rootShare);
    }

    /** What lateness costs, from those who were late; it fades when nobody was. */
    private static double repairNs(TunerState state, Observation seen) {
        long late =
                seen.arrivals().stream()
                        .filter(it -> it.afterDataNs() > 0)
                        .mapToLong(Observation.Arrival::count)
                        .sum();
        // with half of what all need, lateness costs less than it did without
        if (late == 0 || state.timesHalved() > 0) {
            return state.repairNs() * FADING;
        }
        double share = Math.min(1, late / (double) FEWEST_ARRIVALS) * (1 - MEMORY);
        double lately = (double) seen.lostLateNs() / late;
        return state.repairNs() == 0 && lately > 0
                ? lately
                : state.repairNs() * (1 - share) + lately * share;
    }

    /**
     * What a lossy network costs those who are in time; lateness is not to blame for that much. It
     * fades when nobody is, so that a network that has become better is found out. A few that were
     * in time among many that were not are exceptions in other ways, too: they may have lost what
     * they did since all the others were late. So they count for little, until a delay shows.
     */
    private static double earlyNs(TunerState state, Observation seen, long many) {
        long early =
                seen.arrivals().stream()
                        .filter(it -> it.afterDataNs() <= 0)
                        .mapToLong(Observation.Arrival::count)
                        .sum();
        if (early == 0) {
            return state.earlyNs() * SLOWLY_FADING;
        }
        double enough = Math.max(FEWEST_ARRIVALS, many * TELLING);
        double share = Math.min(1, early / enough) * (1 - MEMORY);
        double lately = (double) seen.lostEarlyNs() / early;
        return state.earlyNs() == 0 && lately > 0 && early >= enough
                ? lately
                : state.earlyNs() * (1 - share) + lately * share;
    }

    private static Map<Long, Double> sinceRoot(Observation seen, long delayNs) {
        Map<Long, Double> weights = new HashMap<>();
        for (Observation.Arrival arrival : seen.arrivals()) {
            long bucket = bucketNs(arrival.afterDataNs() + delayNs);
            weights.merge(bucket, (double) arrival.count(), Double::sum);
        }
        return weights;
    }

    private static Map<Long, Double> remember(Map<Long, Double> known, Map<Long, Double> fresh) {
        Map<Long, Double> all = new HashMap<>();
        known.forEach((at, weight) -> all.put(at, weight * MEMORY));
        fresh.forEach((at, weight) -> all.merge(at, weight, Double::sum));
        double total = all.values().stream().mapToDouble(Double::doubleValue).sum();
        all.values().removeIf(weight -> weight < total * NEGLIGIBLE);
        return all;
    }

    /** The upper end of a logarithmic bucket: a delay of that much serves all who are in it. */
    static long bucketNs(long timeNs) {
        if (timeNs == 0) {
            return 0;
        }
        long size = Math.abs(timeNs);
        long step = Math.max(1, Long.highestOneBit(size) / SUB_BUCKETS);
        long upper = (size + step - 1) / step * step;
        return timeNs > 0 ? upper : -upper;
    }
}
