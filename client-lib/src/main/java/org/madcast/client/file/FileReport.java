package org.madcast.client.file;

import java.util.List;

/**
 * How a broadcast of files went, the same on every rank.
 *
 * @param bytesSent what went over the network for it: files, without what some rank had already
 * @param ranks what each rank did, by rank
 */
public record FileReport(long bytesSent, List<RankReport> ranks) {

    /** Copies the list. */
    public FileReport {
        ranks = List.copyOf(ranks);
    }

    /** True when every file arrived on every rank. */
    public boolean isWhole() {
        return ranks.stream().allMatch(RankReport::isWhole);
    }
}
