package org.madcast.allocator.tuning;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Worlds in which no delay helps, whatever the reports look like, and some in which one does. */
final class Worlds {

    private static final long MS = World.MS;
    private static final long LONG_NS = 25 * MS;

    private final int receivers;
    private final Map<String, World> all = new LinkedHashMap<>();

    private Worlds(int receivers) {
        this.receivers = receivers;
    }

    /** No delay helps, on quiet computers. */
    static Map<String, World> hopeless(int receivers) {
        Worlds worlds = new Worlds(receivers);
        worlds.addLate(Math.min(3, receivers));
        worlds.addLate(receivers);
        worlds.addPunctual();
        for (double share : List.of(0.01, 0.05, 0.2, 0.5)) {
            worlds.addLossy(share);
        }
        worlds.add("late or early by chance", byChance(0.5, 5 * MS, -4 * MS), lateLose(5 * MS));
        return worlds.all;
    }

    private void add(String name, World.Arrivals arrivals, World.Losses losses) {
        all.put(
                receivers + " receivers, " + name,
                new World(receivers, arrivals, losses, World.even()));
    }

    private void addLate(int late) {
        World.Arrivals following = World.someFollow(late, 9 * MS);
        World.Arrivals fixed = World.someLate(late, 9 * MS);
        String who = late + " of them ";
        add(who + "come after the data, whenever that is", following, lateLose(LONG_NS));
        add(who + "are repaired the later the longer the root waits", following, lateLoseMore());
        add(who + "are slow and lose in time, too", fixed, theseLose(late, LONG_NS));
        add(
                who + "are a little slow and lose in time, too",
                World.someLate(late, 4 * MS),
                theseLose(late, LONG_NS));
        add(who + "are late and buffer all", fixed, theseLose(0, 0));
    }

    private void addPunctual() {
        add(
                "one is punctual, all lose",
                World.someLate(receivers - 1, 9 * MS),
                theseLose(receivers, LONG_NS));
        World.Arrivals firstInTime =
                (receiver, broadcast, delayNs, random) ->
                        World.about(receiver == 0 ? -2 * MS : 9 * MS, random);
        add("only one is punctual, and it alone loses", firstInTime, theseLose(1, LONG_NS));
    }

    private void addLossy(double share) {
        World.Losses losses = anyLose(share, 20 * MS);
        String lossy = "of whose calls " + share + " lose, ";
        add(lossy + "calling around the root", around(5 * MS), losses);
        add(lossy + "all late", World.someLate(receivers, 5 * MS), losses);
        add(lossy + "half of them late", World.someLate(receivers / 2, 5 * MS), losses);
    }

    /** The same on computers that are not quiet. */
    static Map<String, World> hopelessUnderLoad(int receivers, int observations) {
        Map<String, World> all = new LinkedHashMap<>();
        Map<String, World.Load> loads = new LinkedHashMap<>();
        loads.put("quiet", World.even());
        loads.put("restless", World.restless(0.1));
        loads.put("very restless", World.restless(0.5));
        loads.put("load comes and goes", World.tides(200 * Life.BROADCASTS));
        loads.put("load swings", World.tides(20 * Life.BROADCASTS));
        loads.put("load goes", World.easing(observations * Life.BROADCASTS));
        hopeless(receivers)
                .forEach((name, world) ->
                        loads.forEach((how, load) -> all.put(name + "; " + how, world.with(load))));
        return all;
    }

    /**
     * Three receivers that stand still until they call, as measured in the lab: what a repair takes
     * depends on the delay, and waiting for all is not best.
     */
    static World standingStill(long lateNs) {
        long[][] measured = {
            {0, 29_700}, {4_000, 11_500}, {8_000, 4_600}, {12_000, 6_400}, {25_000, 16_600}
        };
        World.Losses losses =
                (receiver, late, delayNs, random) ->
                        World.about(1000 * between(measured, delayNs / 1000), random);
        return new World(3, World.someLate(3, lateNs), losses, World.even());
    }

    /** Late receivers lose, those in time do not. */
    static World lateLosing(int receivers, int late, long lateNs, long repairNs) {
        return new World(receivers, World.someLate(late, lateNs), lateLose(repairNs), World.even());
    }

    private static long between(long[][] measured, long at) {
        for (int i = 1; i < measured.length; i++) {
            if (at <= measured[i][0]) {
                double part =
                        (double) (at - measured[i - 1][0]) / (measured[i][0] - measured[i - 1][0]);
                return measured[i - 1][1]
                        + Math.round(part * (measured[i][1] - measured[i - 1][1]));
            }
        }
        return measured[measured.length - 1][1];
    }

    private static World.Losses lateLose(long repairNs) {
        return (receiver, late, delayNs, random) -> late ? World.about(repairNs, random) : 0;
    }

    private static World.Losses lateLoseMore() {
        return (receiver, late, delayNs, random) ->
                late ? delayNs + World.about(LONG_NS, random) : 0;
    }

    private static World.Losses theseLose(int first, long repairNs) {
        return (receiver, late, delayNs, random) ->
                receiver < first ? World.about(repairNs, random) : 0;
    }

    private static World.Losses anyLose(double share, long repairNs) {
        return (receiver, late, delayNs, random) ->
                random.nextDouble() < share ? World.about(repairNs, random) : 0;
    }

    private static World.Arrivals around(long spreadNs) {
        return (receiver, broadcast, delayNs, random) ->
                (long) ((2 * random.nextDouble() - 1) * spreadNs);
    }

    /** For all broadcasts of an observation alike. */
    private static World.Arrivals byChance(double share, long lateNs, long earlyNs) {
        return (receiver, broadcast, delayNs, random) -> {
            long observation = broadcast / Life.BROADCASTS;
            boolean late = new Random(observation * 0x9E3779B97F4A7C15L).nextDouble() < share;
            return World.about(late ? lateNs : earlyNs, random);
        };
    }
}
