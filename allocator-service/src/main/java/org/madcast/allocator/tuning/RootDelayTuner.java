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
 * buffer, and repairing it costs more than waiting would; but a root that waits although no rank is
 * late holds up all. Siebert left the delay to the user since two broadcasts in one loop may behave
 * oppositely: here each site has a state of its own.
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
 *   <li>a delay that spares less than half of what {@link DelayCost} expects is halved, and halved
 *       again, and the one with which calls take least goes on: how long a repair takes may itself
 *       depend on who else is late. One with which calls take no less than without is given up;
 *   <li>with a delay no rank may be late, so what lateness costs is not seen any more: the delay
 *       goes back to 0 for a moment and comes back if calls take longer then, less and less often;
 *   <li>a trial is made only when the {@link Account} can pay for one that is in vain. So where no
 *       delay helps, whatever it looks like, a site loses a small share of its calls' time;
 *   <li>a delay is on {@link Probation} until all {@link Evidence} of it together shows that it is
 *       not in vain: the account pays for it as if it were, and while that is more than is left,
 *       the site goes without and saves.
 * </ol>
 *
 * <p>Example of the last: a call takes 16 ms in 4 ranks, 3 of which call 24 ms late. In vain the
 * delay would cost the root 24 ms and the others about nothing, 6 ms a call, for two observations
 * until it ends: 0.75 of what all calls of an observation take. A new site has 1.7 of that, pays
 * what the trial really cost, and may pay for 12 and 6 ms next; then it has to save.
 *
 * <p>A network loses datagrams of those who are in time, too, and no delay helps against that: what
 * asking costs the early is taken off what it costs the late.
 *
 * <p>CommunicatorNotifications are measured against the data, which comes a delay after the root
 * called; with the delay added they are the program's own and mean the same whatever was advised
 * meanwhile.
 */
public final class RootDelayTuner {

    /** What a delay must spare of a call's time. */
    private static final double WORTH = 0.05;

    /** How much of what was known before an observation is left after it. */
    static final double MEMORY = 0.8;

    static final long FEWEST_ARRIVALS = 8;

    private static final double NEGLIGIBLE = 1e-3;
    private static final int MOST_PATIENCE = 64;
    private static final int SUB_BUCKETS = 16;
    private static final int SETTLING = 1;

    /** A delay is in force for so long at least: seen once, and until word of its end has come. */
    private static final int SHORTEST_TRIAL = 2;

    private static final int MOST_COMPARED = 4;

    /** So much of a stretch with a delay is taken for the comparison, if need be. */
    private static final int COMPARED_SHARE = 8;

    /** Standard deviations: more than this need not be compared for longer, or as often. */
    private static final double SURE = 2.5;

    private static final double GOOD = 2;

    private final long ceilingNs;

    /**
     * @param ceilingNs no delay is longer
     */
    public RootDelayTuner(long ceilingNs) {
        this.ceilingNs = ceilingNs;
    }

    /**
     * What was seen lately.
     *
     * @param calls how many
     * @param callNs what each took on average, roots' waits included
     * @param rootShare roots' calls for each receiver's
     * @param wireNs how long a message takes without a delay and without loss
     * @param cost what delays would have cost
     */
    private record Lately(
            long calls, double callNs, double rootShare, double wireNs, DelayCost cost) {}

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
        double rootShare = Math.max(0, seen.calls() - many) / (double) many;
        double waitNs = state.delayNs() * rootShare / (1 + rootShare);
        double callNs = seen.calls() == 0 ? 0 : (double) seen.callsNs() / seen.calls() + waitNs;
        Account account = account(state, callNs, seen.calls());
        TunerState known =
                state.knowing(
                        remember(state.arrivals(), fresh),
                        Lateness.lateNs(state, seen),
                        Lateness.earlyNs(state, seen, many),
                        zeroCallNs(state, callNs),
                        account);
        DelayCost cost = cost(fresh, known.latenessNs(), rootShare);
        return decide(
                known,
                account,
                new Lately(
                        seen.calls(),
                        callNs,
                        rootShare,
                        wireNs(seen, rootShare) * usually(known, callNs),
                        cost));
    }

    private static @Nullable Double zeroCallNs(TunerState state, double callNs) {
        Double beforeNs = state.zeroCallNs();
        if (state.delayNs() > 0 || callNs == 0) {
            return beforeNs;
        }
        if (beforeNs == null || beforeNs == 0) {
            return callNs;
        }
        Account account = state.account();
        double fresh = Math.max(1 - MEMORY, account == null ? 0 : 1.0 / (account.seen() + 1));
        return beforeNs * Math.pow(callNs / beforeNs, fresh);
    }

    /** By how much calls without a delay usually take longer than now, if they do. */
    private static double usually(TunerState known, double callNs) {
        Double zeroNs = known.zeroCallNs();
        return zeroNs == null || callNs == 0 || known.delayNs() > 0
                ? 1
                : Math.max(1, zeroNs / callNs);
    }

    /** What is left of calls' time is the root's, and of receivers that were in time. */
    private static double wireNs(Observation seen, double rootShare) {
        double waitsNs =
                seen.arrivals().stream()
                        .mapToDouble(it -> (double) it.count() * Math.max(0, -it.afterDataNs()))
                        .sum();
        double leftNs = seen.callsNs() - seen.lostLateNs() - seen.lostEarlyNs() - waitsNs;
        double rootsCalls = seen.calls() * rootShare / (1 + rootShare);
        return rootsCalls == 0 ? 0 : Math.max(0, leftNs / rootsCalls);
    }

    private static Account account(TunerState state, double callNs, long calls) {
        double spentNs = callNs * calls;
        Account before = state.account();
        if (before == null) {
            return Account.opened(spentNs);
        }
        Account earned = before.earning(spentNs);
        Double usualNs = usualNs(state);
        return usualNs == null || usualNs == 0 || callNs == 0
                ? earned
                : earned.differing(Math.abs(Math.log(callNs / usualNs)));
    }

    /** What a call takes with the delay in force, or without. */
    private static @Nullable Double usualNs(TunerState state) {
        DelayTrial trial = state.trial();
        if (state.delayNs() == 0) {
            return state.zeroCallNs();
        }
        return trial == null || trial.seen() == 0 ? null : trial.callNs();
    }

    private TunerState decide(TunerState known, Account account, Lately lately) {
        DelayTrial trial = known.trial();
        if (known.delayNs() > 0) {
            DelayTrial before = trial == null ? DelayTrial.of(known.delayNs(), 0) : trial;
            Double zeroNs = known.zeroCallNs();
            double longerNs = zeroNs == null ? 0 : (lately.callNs() - zeroNs) * lately.calls();
            return delayed(known, account, lately, before.taking(lately.callNs(), longerNs));
        }
        return trial == null
                ? undelayed(known, account, lately)
                : compared(known, account, lately, trial.without(lately.callNs()));
    }

    private TunerState undelayed(TunerState known, Account account, Lately lately) {
        DelayCost cost = cost(known.arrivals(), known.latenessNs(), lately.rootShare());
        long best = cost.best(ceilingNs);
        double worthNs = worthNs(cost, lately);
        boolean worthIt =
                cost.of(0) - cost.of(best) >= worthNs
                        && lately.cost().of(0) - lately.cost().of(best) >= worthNs;
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
        DelayTrial trial = DelayTrial.of(best, cost.of(0) - cost.of(best));
        return isAffordable(account, cost, trial, lately)
                ? advise(known, trial, why(best))
                : known.waiting(known.good(), "a trial of a delay would cost too much so far");
    }

    private TunerState delayed(TunerState known, Account account, Lately lately, DelayTrial trial) {
        DelayCost cost = cost(known.arrivals(), known.latenessNs(), lately.rootShare());
        boolean halved = trial.halvings() > 0;
        boolean worse = !halved && lately.cost().of(trial.delayNs()) > lately.cost().of(0);
        if (worse || probation(known, account, lately, trial).sparesNothing()) {
            return ended(known, account, lately, trial, worse);
        }
        DelayTrial other = searched(known, account, trial);
        if (other.delayNs() != trial.delayNs()) {
            return advise(known, other, "half or twice the delay may spare more");
        }
        long best = cost.best(ceilingNs);
        double worthNs = worthNs(cost, lately);
        double promisedNs = cost.of(0) - cost.of(best);
        if (promisedNs < worthNs) {
            return advise(known, null, "lateness costs nothing any more");
        }
        if (other.isDue() || probation(known, account, lately, other).isTooRisky()) {
            return known.advising(
                            0,
                            other.paused(),
                            known.patience(),
                            "compared with a delay for a moment")
                    .settlingFor(SETTLING);
        }
        boolean better = !halved && cost.of(trial.delayNs()) - cost.of(best) > worthNs / 2;
        return better
                ? advise(known, trial.movedTo(best, promisedNs), why(best))
                : known.goingOn(other);
    }

    /** After a trial that spared nothing: what comes next. */
    private static TunerState ended(
            TunerState known, Account account, Lately lately, DelayTrial trial, boolean worse) {
        double onceNs = Math.max(0, trial.lostNs()) / trial.seen();
        double lostNs = onceNs * (trial.seen() + 1); // until word of its end has come
        Probation probation = probation(known, account, lately, trial);
        TunerState charged = known.charged(probation.likelyLostNs(lostNs));
        DelayTrial longer = trial.longer();
        if (longer != null) {
            return advise(charged, longer, why(longer.delayNs()));
        }
        // half of it costs half as much
        boolean affordable = account.paying(lostNs).allows(onceNs, onceNs);
        return !worse && trial.mayBeHalved() && affordable
                ? advise(charged, trial.halved(false), "a longer delay spared nothing")
                : givenUp(charged);
    }

    /**
     * How long a repair takes may depend on who else is late. So of a delay that spares much less
     * than it should half is tried, and the better of the two goes on.
     */
    private static DelayTrial searched(TunerState known, Account account, DelayTrial trial) {
        Double zeroNs = known.zeroCallNs();
        if (zeroNs == null) {
            return trial;
        }
        DelayTrial longer = trial.longer();
        if (longer != null) {
            double betterNs = longer.callNs() - trial.callNs();
            boolean tells =
                    account.tells(Math.abs(betterNs), zeroNs, trial.seen())
                            || trial.seen() >= MOST_COMPARED;
            if (!tells) {
                return trial;
            }
            return betterNs < 0 ? longer : trial.preferred();
        }
        double shortNs = trial.promisedNs() / 2 - (zeroNs - trial.callNs());
        return trial.mayBeHalved() && shortNs > 0 && account.tells(shortNs, zeroNs, trial.seen())
                ? trial.halved(true)
                : trial;
    }

    /** Without a delay for a moment: does the one that was in force before spare time? */
    private static TunerState compared(
            TunerState known, Account account, Lately lately, DelayTrial trial) {
        Probation probation = probation(known, account, lately, trial);
        if (trial.seen() == 0) {
            return resumed(known, probation);
        }
        Evidence all = probation.evidence();
        double deviation = all.deviation(account.deviation());
        int most = Math.max(MOST_COMPARED, trial.seen() / COMPARED_SHARE);
        boolean tells =
                all.gain() > SURE * deviation
                        || all.gain() < -deviation
                        || trial.noneSeen() >= most;
        if (!tells) {
            return known.goingOn(trial);
        }
        if (all.gain() < Math.min(WORTH / 2, deviation)) {
            return givenUp(
                    known.charged(
                            probation.likelyLostNs(
                                    (trial.callNs() - probation.zeroNs())
                                            * lately.calls()
                                            * trial.seen())));
        }
        double costNs = probation.costNs(all, trial.seen() + 1);
        boolean proven = probation.costNs(all, 1) == 0 && all.gain() > GOOD * deviation;
        DelayTrial next = proven ? trial.confirmed(all) : trial.undecided(all);
        return resumed(
                known.charged(costNs), probation(known, account.paying(costNs), lately, next));
    }

    /** The delay comes back when the account can pay for it, and is not in force until then. */
    private static TunerState resumed(TunerState known, Probation probation) {
        DelayTrial trial = probation.trial();
        return probation.allowsAgain()
                ? advise(known, trial, why(trial.delayNs()))
                : known.goingOn(trial);
    }

    private static Probation probation(
            TunerState known, Account account, Lately lately, DelayTrial trial) {
        Double zeroNs = known.zeroCallNs();
        DelayCost cost = cost(known.arrivals(), known.latenessNs(), lately.rootShare());
        double inVainNs = cost.inVainNs(trial.delayNs(), lately.wireNs());
        return new Probation(account, trial, zeroNs == null ? 0 : zeroNs, inVainNs, lately.calls());
    }

    private static boolean isAffordable(
            Account account, DelayCost cost, DelayTrial trial, Lately lately) {
        double calls = SHORTEST_TRIAL * lately.calls();
        double inVainNs = cost.inVainNs(trial.delayNs(), lately.wireNs());
        return account.allows(inVainNs * calls, trial.promisedNs() * calls);
    }

    private static double worthNs(DelayCost cost, Lately lately) {
        return WORTH * Math.max(lately.callNs(), cost.of(0));
    }

    private static TunerState givenUp(TunerState known) {
        int patience = Math.min(MOST_PATIENCE, known.patience() * 2);
        return known.advising(0, null, patience, "waiting cost more than it spared")
                .settlingFor(SETTLING);
    }

    private static TunerState advise(TunerState known, @Nullable DelayTrial trial, String reason) {
        long delayNs = trial == null ? 0 : trial.delayNs();
        return known.advising(delayNs, trial, known.patience(), reason).settlingFor(SETTLING);
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
