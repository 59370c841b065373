package org.madcast.allocator.tuning;

/**
 * What asking for lost data costs receivers, from what they reported: those who called after the
 * data came, and those who were in time. A network loses datagrams of both, and no delay helps
 * against that, so the difference is what lateness costs.
 */
final class Lateness {

    private static final double FADING = 0.99;
    private static final double SLOWLY_FADING = 0.998;

    /** So large a part of all receivers tells what those in time lose. */
    private static final double TELLING = 0.1;

    private Lateness() {}

    /** What asking costs the late; it fades when none was, without a delay. */
    static double lateNs(TunerState state, Observation seen) {
        long late =
                seen.arrivals().stream()
                        .filter(it -> it.afterDataNs() > 0)
                        .mapToLong(Observation.Arrival::count)
                        .sum();
        // with half of what all need, lateness costs less than it did without
        if (state.delayNs() > 0 && (late == 0 || state.timesHalved() > 0)) {
            return state.repairNs();
        }
        if (late == 0) {
            return state.repairNs() * FADING;
        }
        double share =
                Math.min(1, late / (double) RootDelayTuner.FEWEST_ARRIVALS)
                        * (1 - RootDelayTuner.MEMORY);
        double lately = (double) seen.lostLateNs() / late;
        return state.repairNs() == 0 && lately > 0
                ? lately
                : state.repairNs() * (1 - share) + lately * share;
    }

    /**
     * What a lossy network costs those who are in time; lateness is not to blame for that much. It
     * fades when none is, so that a network that has become better is found out. A few that were in
     * time among many that were not are exceptions in other ways, too: they may have lost what they
     * did since all the others were late. So they count for little, until a delay shows.
     */
    static double earlyNs(TunerState state, Observation seen, long many) {
        long early =
                seen.arrivals().stream()
                        .filter(it -> it.afterDataNs() <= 0)
                        .mapToLong(Observation.Arrival::count)
                        .sum();
        if (early == 0) {
            return state.earlyNs() * SLOWLY_FADING;
        }
        double enough = Math.max(RootDelayTuner.FEWEST_ARRIVALS, many * TELLING);
        double share = Math.min(1, early / enough) * (1 - RootDelayTuner.MEMORY);
        double lately = (double) seen.lostEarlyNs() / early;
        return state.earlyNs() == 0 && lately > 0 && early >= enough
                ? lately
                : state.earlyNs() * (1 - share) + lately * share;
    }
}
