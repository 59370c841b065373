package org.madcast.agent.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who waited for whom. */
final class Waits {

    /** A rank that waited for another one. */
    record Wait(int waiting, int awaited, long ns) {}

    /**
     * A rank to which others waited.
     *
     * @param calls to how many collective calls it came last
     * @param ns how long the others were there before it, all together
     */
    record Late(int rank, int calls, long ns) {}

    private record Arrival(int rank, long atNs) {}

    private Waits() {}

    /** Between two ranks, the longest first. */
    static List<Wait> between(List<RankProfile> ranks) {
        return ranks.stream()
                .flatMap(rank ->
                        rank.partners().stream()
                                .filter(it -> it.waitNs() > 0 && it.rank() != rank.rank())
                                .map(it -> new Wait(rank.rank(), it.rank(), it.waitNs())))
                .sorted(Comparator.comparingLong(Wait::ns).reversed())
                .toList();
    }

    /** The ranks that others waited for, the most awaited one first, with the sum of all waits. */
    static List<Map.Entry<Integer, Long>> awaited(List<RankProfile> ranks) {
        return between(ranks).stream()
                .collect(Collectors.groupingBy(Wait::awaited, Collectors.summingLong(Wait::ns)))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                .toList();
    }

    /**
     * Who came last to collective calls, by the clocks of the hosts: the n-th call that a rank made
     * on a communicator is the n-th of all its ranks.
     */
    static List<Late> late(List<ProfileFile> files) {
        Map<String, List<List<Arrival>>> calls = new HashMap<>();
        for (ProfileFile file : files) {
            Map<String, Integer> made = new HashMap<>();
            Stream<ProfiledCall> inOrder =
                    file.calls().stream()
                            .filter(ProfiledCall::isCollective)
                            .sorted(Comparator.comparingLong(ProfiledCall::startNs));
            inOrder.forEach(call -> {
                int number = made.merge(call.communicator(), 1, Integer::sum) - 1;
                List<List<Arrival>> all =
                        calls.computeIfAbsent(call.communicator(), _ -> new ArrayList<>());
                while (all.size() <= number) {
                    all.add(new ArrayList<>());
                }
                all.get(number)
                        .add(
                                new Arrival(
                                        file.sums().rank(),
                                        file.sums().startEpochNs() + call.startNs()));
            });
        }
        Map<Integer, Late> found = new HashMap<>();
        calls.values().stream().flatMap(List::stream).forEach(one -> add(one, found));
        return found.values().stream()
                .sorted(Comparator.comparingLong(Late::ns).reversed())
                .toList();
    }

    private static void add(List<Arrival> arrivals, Map<Integer, Late> to) {
        if (arrivals.size() < 2) {
            return;
        }
        Arrival last = arrivals.stream().max(Comparator.comparingLong(Arrival::atNs)).orElseThrow();
        long ns = arrivals.stream().mapToLong(it -> last.atNs() - it.atNs()).sum();
        to.merge(
                last.rank(),
                new Late(last.rank(), 1, ns),
                (a, b) -> new Late(a.rank(), a.calls() + b.calls(), a.ns() + b.ns()));
    }
}
