package org.madcast.allocator.statistics;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Fields;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Requester;

/**
 * What one rank reports, as it is in JSON. Its counters run on from report to report; its
 * broadcasts are those since its last report. The constructors check; the annotations are for the
 * OpenAPI document.
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
        @NotNull UUID communicatorId,
        @NotNull @Min(0) @Max(Limits.RANKS) Integer rank,
        @Nullable @Size(max = Limits.NAME_LENGTH) String memberSecret,
        @NotNull UUID instance,
        @NotNull @Min(0) Long sequence,
        @NotNull Counters counters,
        @Size(max = MOST_REASONS) Map<String, Long> rejected,
        @Nullable @Size(max = Limits.LABEL_KEY_LENGTH) String socketPath,
        @Min(0) @Max(Counters.MOST) long dropped,
        @Size(max = MOST_SITES) List<BroadcastSite> broadcasts,
        @Size(max = MOST_FOREIGN_SENDERS)
                List<@Pattern(regexp = Limits.ENDPOINT) String> foreignSenders) {

    private static final int MOST_REASONS = 64;
    private static final int MOST_SITES = 256;
    private static final int MOST_FOREIGN_SENDERS = 8;
    private static final java.util.regex.Pattern ENDPOINT =
            java.util.regex.Pattern.compile(Limits.ENDPOINT);

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
    Reporter reporter(Requester by, @Nullable String header) {
        String secret = header == null ? memberSecret : header;
        return new Reporter(by, communicatorId, rank, instance, secret == null ? "" : secret);
    }
}
