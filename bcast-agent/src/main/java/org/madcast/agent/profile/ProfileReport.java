package org.madcast.agent.profile;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.madcast.agent.profile.RankProfile.Operation;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;

/**
 * Where the time of ranks went, for people: at most 80 columns, and of more than {@value
 * #MOST_RANKS} ranks the worst, the median and the best.
 */
public final class ProfileReport {

    private static final int MOST_RANKS = 8;
    private static final int WORST = 3;
    private static final int COSTLIEST = 5;
    private static final int WIDTH = 80;
    private static final int HOST_WIDTH = 14;

    private final List<RankProfile> ranks;

    ProfileReport(List<RankProfile> ranks) {
        this.ranks = ranks.stream().sorted(Comparator.comparingInt(RankProfile::rank)).toList();
    }

    /**
     * The report of ranks that each have written their sums as a line of JSON; lines that are no
     * profile are left out.
     */
    public static ProfileReport ofLines(List<String> lines) {
        List<RankProfile> ranks = new ArrayList<>();
        for (String line : lines) {
            try {
                ranks.add(RankProfile.parse(line));
            } catch (IllegalArgumentException other) {
                // A rank of another version, or one that was ended while it wrote.
            }
        }
        return new ProfileReport(ranks);
    }

    /** Prints it; nothing if no rank has reported. */
    public void print(PrintWriter out) {
        if (ranks.isEmpty()) {
            return;
        }
        Map<RankProfile, String> shown = chosen();
        boolean all = shown.size() == ranks.size();
        Table table =
                new Table("rank", "host", "wall s", "in calls s", "%", "waited s", "sent", "");
        shown.forEach((rank, why) ->
                table.row(
                        rank.rank(),
                        shortened(rank.host()),
                        seconds(rank.wallNs()),
                        seconds(rank.callNs()),
                        String.format(Locale.ROOT, "%.1f", 100 * rank.share()),
                        seconds(rank.waitNs()),
                        Units.size(rank.sentBytes()),
                        why));
        table.print(out);
        if (!all) {
            paragraph(out, "all " + ranks.size() + " ranks: ", costliest(summed()));
        }
        shown.keySet()
                .forEach(rank ->
                        paragraph(out, "rank " + rank.rank() + ": ", costliest(rank.operations())));
        waits(out);
        out.flush();
    }

    /** What is shown, and why it is. */
    private Map<RankProfile, String> chosen() {
        Map<RankProfile, String> shown = new LinkedHashMap<>();
        if (ranks.size() <= MOST_RANKS) {
            ranks.forEach(rank -> shown.put(rank, ""));
            return shown;
        }
        List<RankProfile> byCost =
                ranks.stream()
                        .sorted(Comparator.comparingDouble(RankProfile::share).reversed())
                        .toList();
        byCost.subList(0, WORST).forEach(rank -> shown.put(rank, "most in calls"));
        shown.put(byCost.get(byCost.size() / 2), "median");
        shown.put(byCost.getLast(), "least in calls");
        return shown;
    }

    private List<Operation> summed() {
        Map<String, Operation> sums = new TreeMap<>();
        for (RankProfile rank : ranks) {
            for (Operation each : rank.operations()) {
                sums.merge(each.name(), each, ProfileReport::sum);
            }
        }
        return sums.values().stream()
                .sorted(Comparator.comparingLong(Operation::ns).reversed())
                .toList();
    }

    private static Operation sum(Operation a, Operation b) {
        Operation longer = a.longestNs() >= b.longestNs() ? a : b;
        return new Operation(
                a.name(),
                a.calls() + b.calls(),
                a.ns() + b.ns(),
                a.waitNs() + b.waitNs(),
                a.bytes() + b.bytes(),
                longer.longestNs(),
                longer.longestAt());
    }

    private static List<String> costliest(List<Operation> operations) {
        return operations.stream().limit(COSTLIEST).map(ProfileReport::text).toList();
    }

    private static String text(Operation operation) {
        String bytes = operation.bytes() == 0 ? "" : ", " + Units.size(operation.bytes());
        String place =
                operation.longestAt().isEmpty()
                        ? ""
                        : ", longest "
                                + seconds(operation.longestNs())
                                + " s at "
                                + operation.longestAt();
        return "%s %s s (%d %s%s%s)"
                .formatted(
                        operation.name(),
                        seconds(operation.ns()),
                        operation.calls(),
                        operation.calls() == 1 ? "call" : "calls",
                        bytes,
                        place);
    }

    private void waits(PrintWriter out) {
        List<String> pairs =
                Waits.between(ranks).stream()
                        .limit(COSTLIEST)
                        .map(it ->
                                "rank %d for rank %d %s s"
                                        .formatted(it.waiting(), it.awaited(), seconds(it.ns())))
                        .toList();
        if (!pairs.isEmpty()) {
            paragraph(out, "waited most: ", pairs);
            paragraph(
                    out,
                    "were waited for: ",
                    Waits.awaited(ranks).stream()
                            .limit(COSTLIEST)
                            .map(it ->
                                    "rank %d %s s".formatted(it.getKey(), seconds(it.getValue())))
                            .toList());
        }
    }

    /** Who came last to collective calls. */
    static void printLate(PrintWriter out, List<ProfileFile> files) {
        List<String> late =
                Waits.late(files).stream()
                        .limit(COSTLIEST)
                        .map(it ->
                                "rank %d %d times (the others were there %s s before it)"
                                        .formatted(it.rank(), it.calls(), seconds(it.ns())))
                        .toList();
        if (!late.isEmpty()) {
            paragraph(out, "came last to collective calls: ", late);
        }
        long unrecorded = files.stream().mapToLong(it -> it.sums().unrecorded()).sum();
        if (unrecorded > 0) {
            out.println(unrecorded + " calls are in the sums only");
        }
        out.flush();
    }

    /** Items with commas between them, in lines that fit the width. */
    private static void paragraph(PrintWriter out, String title, List<String> items) {
        StringBuilder line = new StringBuilder(title);
        List<String> words =
                List.of(items.stream().collect(Collectors.joining(", ")).split(" ", -1));
        boolean fresh = true;
        for (String word : words) {
            if (!fresh && line.length() + 1 + word.length() > WIDTH) {
                out.println(line);
                line = new StringBuilder("   ");
            } else if (fresh) {
                fresh = false;
                line.append(word);
                continue;
            }
            line.append(' ').append(word);
        }
        out.println(line);
    }

    private static String shortened(String host) {
        return host.length() <= HOST_WIDTH ? host : host.substring(0, HOST_WIDTH - 1) + "~";
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e9);
    }
}
