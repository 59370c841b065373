package org.madcast.agent.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.madcast.agent.probe.Finding.Trouble;

/**
 * Says what is wrong where unicast passes and no multicast does: nowhere, at a point in both
 * directions, at a point in one direction, or between two.
 */
final class SilenceDiagnosis {

    private static final String PORT =
            "look at its switch port (storm control, multicast filter, IGMP profile, VLAN) and its"
                    + " firewall (nft list ruleset: udp to 224.0.0.0/4, igmp)";

    private final ProbeResult result;
    private final Set<Integer> points;
    private final List<Finding> findings;

    /** Between these points; adds to these findings. */
    SilenceDiagnosis(ProbeResult result, Set<Integer> points, List<Finding> findings) {
        this.result = result;
        this.points = points;
        this.findings = findings;
    }

    /** Explains between whom multicast fails. */
    void explain(PairSet muted) {
        if (muted.isEmpty()) {
            return;
        }
        if (muted.isComplete()) {
            findings.add(
                    new Finding(
                            Trouble.NO_MULTICAST,
                            points.stream().sorted().map(result::name).toList(),
                            "no multicast passes between the nodes, while unicast does",
                            "look whether the switches drop unknown multicast (snooping without a"
                                    + " querier), and at the hosts' firewalls; until then"
                                    + " broadcasts use the chain by themselves"));
            return;
        }
        Set<Integer> deaf = new TreeSet<>(muted.deaf());
        Set<Integer> mute = new TreeSet<>(muted.mute());
        if (points.size() == 2) {
            // Either could be to blame: the one that was asked about is named.
            deaf.remove(0);
            mute.remove(0);
        }
        Set<Integer> both = new TreeSet<>(deaf);
        both.retainAll(mute);
        both.forEach(this::isolated);
        deaf.stream().filter(point -> !both.contains(point)).forEach(this::deaf);
        mute.stream().filter(point -> !both.contains(point)).forEach(this::mute);
        muted.removeIf(pair -> deaf.contains(pair.receiver()) || mute.contains(pair.sender()));
        rest(muted);
    }

    private void isolated(int point) {
        String name = result.name(point);
        add(
                Trouble.NO_MULTICAST,
                List.of(name),
                "no multicast passes to or from " + name + ", while unicast does",
                PORT);
    }

    private void deaf(int point) {
        String name = result.name(point);
        add(
                Trouble.ASYMMETRIC,
                List.of(name),
                name + " hears no multicast, though others hear it",
                PORT + "; see whether its joins reach the switch (its table of groups)");
    }

    private void mute(int point) {
        String name = result.name(point);
        add(
                Trouble.ASYMMETRIC,
                List.of(name),
                name + " reaches no node by multicast, though it hears others",
                PORT + "; see where it sends ('ip route get " + groupAddress() + "')");
    }

    private String groupAddress() {
        String group = result.tried().group();
        return group.substring(0, group.indexOf(':'));
    }

    private void rest(PairSet pairs) {
        PairSet oneWay = new PairSet(points);
        PairSet bothWays = new PairSet(points);
        for (PairSet.Pair pair : PairSet.all(result.facts().size())) {
            if (pairs.contains(pair)) {
                (pairs.contains(pair.back()) ? bothWays : oneWay).add(pair);
            }
        }
        String cure =
                "look at the trunks between their switches: IGMP snooping, router ports, VLAN";
        describe(Trouble.ASYMMETRIC, oneWay, ", while it passes the other way", cure);
        describe(Trouble.NO_MULTICAST, bothWays, ", while unicast does", cure);
    }

    private void describe(Trouble trouble, PairSet pairs, String contrast, String cure) {
        if (!pairs.isEmpty()) {
            List<String> names = new ArrayList<>();
            pairs.receivers().forEach(point -> names.add(result.name(point)));
            add(
                    trouble,
                    names,
                    "multicast does not pass " + pairs.describe(result::name) + contrast,
                    cure);
        }
    }

    private void add(Trouble trouble, List<String> nodes, String what, String cure) {
        findings.add(new Finding(trouble, nodes, what, cure));
    }
}
