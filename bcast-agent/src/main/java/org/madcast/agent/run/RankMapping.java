package org.madcast.agent.run;

import java.util.List;
import org.madcast.agent.profile.Traffic;
import org.madcast.client.topology.Placement;

/** Chooses places for ranks by what they exchanged in an earlier run. */
final class RankMapping {

    /** What a message costs beside its bytes: about the headers of a datagram. */
    private static final int MESSAGE_BYTES = 100;

    private RankMapping() {}

    /**
     * The place of each rank.
     *
     * @param hostOfPlace the host of each place, of which there are as many as ranks
     */
    static int[] places(Traffic traffic, int[] hostOfPlace, Placement.Distance distance) {
        if (hostOfPlace.length != traffic.ranks()) {
            throw new IllegalArgumentException(
                    "%d places for %d ranks".formatted(hostOfPlace.length, traffic.ranks()));
        }
        List<Placement.Exchange> exchanges =
                traffic.exchanges().stream()
                        .map(it ->
                                new Placement.Exchange(
                                        it.one(),
                                        it.other(),
                                        it.bytes() + (double) MESSAGE_BYTES * it.messages()))
                        .toList();
        return Placement.places(exchanges, hostOfPlace, distance);
    }
}
