package org.madcast.agent.profile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/**
 * What the ranks of a job exchanged by messages, both ways together. What was multicast goes to all
 * wherever they are, and is left out.
 *
 * @param ranks how many there are, 0 to this - 1
 * @param exchanges of each pair that exchanged something
 */
public record Traffic(int ranks, List<Exchange> exchanges) {

    /** Between two different ranks. */
    public record Exchange(int one, int other, long messages, long bytes) {}

    /** Checks that the ranks exist. */
    public Traffic {
        exchanges = List.copyOf(exchanges);
        for (Exchange each : exchanges) {
            if (each.one < 0 || each.one >= each.other || each.other >= ranks) {
                throw new IllegalArgumentException(each + " of " + ranks + " ranks");
            }
        }
    }

    /**
     * What ranks have written to a folder.
     *
     * @throws CommandFailure if there are no profiles, or unreadable ones, or not of all ranks
     */
    public static Traffic read(Path profiles) {
        List<RankProfile> all = ProfileFile.readSums(List.of(profiles));
        int ranks = all.getFirst().size();
        if (all.size() < ranks) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "%s has profiles of %d of %d ranks; are the others on other hosts?"
                            .formatted(profiles, all.size(), ranks));
        }
        Map<List<Integer>, long[]> sums = new LinkedHashMap<>();
        for (RankProfile rank : all) {
            for (RankProfile.Partner partner : rank.partners()) {
                int one = Math.min(rank.rank(), partner.rank());
                int other = Math.max(rank.rank(), partner.rank());
                if (one < other && partner.messages() > 0) {
                    long[] sum = sums.computeIfAbsent(List.of(one, other), _ -> new long[2]);
                    sum[0] += partner.messages();
                    sum[1] += partner.bytes();
                }
            }
        }
        List<Exchange> exchanges = new ArrayList<>();
        sums.forEach((pair, sum) ->
                exchanges.add(new Exchange(pair.get(0), pair.get(1), sum[0], sum[1])));
        return new Traffic(ranks, exchanges);
    }
}
