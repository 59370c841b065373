package org.madcast.allocator.statistics;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Fields;
import org.madcast.allocator.web.Limits;

/**
 * What one rank reports, as it is in JSON. Its counters run on from report to report; its
 * broadcasts are those since its last report.
 *
 * @param communicatorId its communicator
 * @param rank its number
 * @param memberSecret the secret of its membership, null if the request has it in a header
 * @param instance its process
 * @param sequence counts the process's reports; one that is not above the last is ignored
 * @param counters since the communicator was made
 * @param rejected datagrams that it refused, by reason
 * @param socketPath how it sends and receives
 * @param dropped its reports that were never sent
 * @param broadcasts since its last report
 * @param foreignSenders the latest few senders of datagrams that it counts as foreign
 */
public record Report(
        UUID communicatorId,
        Integer rank,
        @Nullable String memberSecret,
        UUID instance,
        Long sequence,
        Counters counters,
        Map<String, Long> rejected,
        @Nullable String socketPath,
        long dropped,
        List<BroadcastSite> broadcasts,
        List<String> foreignSenders) {

    private static final int MOST_REASONS = 64;
    private static final int MOST_SITES = 256;
    private static final int MOST_FOREIGN_SENDERS = 8;
    private static final Pattern ENDPOINT = Pattern.compile(Limits.ENDPOINT);

    /** Refuses what no rank can report; absent lists and maps are empty. */
    public Report {
        boolean complete =
                communicatorId != null && rank != null && instance != null && sequence != null;
        if (!complete || counters == null || rank < 0 || sequence < 0 || rank > Limits.RANKS) {
            Fields.all(
                    () -> Fields.required("communicatorId", communicatorId),
                    () -> Fields.upTo(Limits.RANKS, "rank", Fields.required("rank", rank)),
                    () -> Fields.required("instance", instance),
                    () ->
                            Fields.upTo(
                                    Long.MAX_VALUE,
                                    "sequence",
                                    Fields.required("sequence", sequence)),
                    () -> Fields.required("counters", counters));
        }
        if (memberSecret != null) {
            Fields.plain("memberSecret", memberSecret, Limits.NAME_LENGTH);
        }
        rejected = Fields.counts("rejected", rejected, MOST_REASONS, Counters.MOST);
        if (socketPath != null) {
            Fields.plain("socketPath", socketPath, Limits.LABEL_KEY_LENGTH);
        }
        Fields.upTo(Counters.MOST, "dropped", dropped);
        broadcasts = Fields.list("broadcasts", broadcasts, MOST_SITES);
        foreignSenders = Fields.list("foreignSenders", foreignSenders, MOST_FOREIGN_SENDERS);
        for (int i = 0; i < foreignSenders.size(); i++) {
            if (!ENDPOINT.matcher(foreignSenders.get(i)).matches()) {
                throw Fields.invalid("foreignSenders[" + i + "]", "must be an address and a port");
            }
        }
    }

    /** The rank itself as the sender of its report, with the secret that the header shows. */
    Reporter reporter(@Nullable String header) {
        String secret = header == null ? memberSecret : header;
        return new Reporter(communicatorId, rank, instance, secret == null ? "" : secret);
    }
}
