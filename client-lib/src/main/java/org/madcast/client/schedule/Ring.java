package org.madcast.client.schedule;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The order in which ranks pass messages around a ring: by their numbers, or another one in which
 * neighbours are also neighbours in the network. The schedules are those of {@link Exchanges} and
 * {@link Reductions}, made for places in the ring. Immutable.
 */
public final class Ring {

    private final int[] rankAt;
    private final int[] placeOf;
    private final boolean byNumber;

    /**
     * A ring.
     *
     * @param ranks every rank once, each sends to the next one
     */
    public Ring(int... ranks) {
        rankAt = ranks.clone();
        placeOf = new int[ranks.length];
        Arrays.fill(placeOf, -1);
        for (int place = 0; place < ranks.length; place++) {
            placeOf[ranks[place]] = place;
        }
        if (Arrays.stream(placeOf).anyMatch(place -> place < 0)) {
            throw new IllegalArgumentException("a rank is missing in the ring");
        }
        byNumber = IntStream.range(0, ranks.length).allMatch(place -> rankAt[place] == place);
    }

    /** See {@link Exchanges#ringAllgather}. */
    public Schedule allgather(int rank, Counts counts) {
        return byNumber
                ? Exchanges.ringAllgather(rank, counts)
                : Exchanges.ringAllgather(placeOf[rank], counts.inOrder(rankAt)).withPeers(rankAt);
    }

    /** See {@link Reductions#ringAllreduce}. */
    public Schedule allreduce(int rank, long count) {
        Schedule schedule = Reductions.ringAllreduce(rankAt.length, placeOf[rank], count);
        return byNumber ? schedule : schedule.withPeers(rankAt);
    }

    /** See {@link Reductions#ringReduceScatter}. */
    public Schedule reduceScatter(int rank, Counts counts) {
        return byNumber
                ? Reductions.ringReduceScatter(rank, counts)
                : Reductions.ringReduceScatter(placeOf[rank], counts.inOrder(rankAt))
                        .withPeers(rankAt);
    }
}
