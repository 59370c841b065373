package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.lease.ParentRendezvous;

/**
 * Makes communicators out of a communicator. The ranks tell each other colour and key by
 * broadcasts. The new ranks then meet at the service, when the parent's group was leased there,
 * else over the parent itself.
 */
final class Splitting {

    private record Wish(int rank, int color, int key) {}

    private final Communicator parent;
    private final CommunicatorConfig config;
    private final String suffix;

    /**
     * @param number how many communicators were made out of this one before; the same on every rank
     */
    Splitting(Communicator parent, CommunicatorConfig config, int number) {
        this.parent = parent;
        this.config = config;
        this.suffix = "." + number;
    }

    Communicator dup() {
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < parent.size(); rank++) {
            all.add(rank);
        }
        return join(List.of(all), all, suffix, meetsAtService());
    }

    Optional<Communicator> split(int color, int key) {
        Map<Integer, List<Wish>> byColor = new TreeMap<>();
        for (Wish wish : exchange(color, key)) {
            if (wish.color() >= 0) {
                byColor.computeIfAbsent(wish.color(), _ -> new ArrayList<>()).add(wish);
            }
        }
        List<List<Integer>> parts = byColor.values().stream().map(Splitting::ordered).toList();
        List<Integer> own = color < 0 ? List.of() : ordered(byColor.getOrDefault(color, List.of()));
        boolean atService = meetsAtService();
        if (own.isEmpty()) {
            attend(parts, atService);
            return Optional.empty();
        }
        return Optional.of(join(parts, own, suffix + "." + color, atService));
    }

    private List<Wish> exchange(int color, int key) {
        List<Wish> wishes = new ArrayList<>();
        for (int rank = 0; rank < parent.size(); rank++) {
            ByteBuffer message = ByteBuffer.allocate(2 * Integer.BYTES);
            if (rank == parent.rank()) {
                message.putInt(0, color).putInt(Integer.BYTES, key);
            }
            parent.bcast(MemorySegment.ofArray(message.array()), rank);
            wishes.add(new Wish(rank, message.getInt(0), message.getInt(Integer.BYTES)));
        }
        return wishes;
    }

    private static List<Integer> ordered(List<Wish> wishes) {
        return wishes.stream()
                .sorted(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank))
                .map(Wish::rank)
                .toList();
    }

    /**
     * Whether all meet at the service, as rank 0 says: the others learn a moment later that the
     * lease was lost and where they have moved to, and ranks that went different ways would wait
     * for each other.
     */
    private boolean meetsAtService() {
        boolean leased = parent.info().groupSource() == GroupSource.LEASED;
        byte[] word = {(byte) (leased ? 1 : 0)};
        parent.bcast(MemorySegment.ofArray(word), 0);
        return word[0] == 1;
    }

    /** Takes part in what the others' meeting needs of every rank of the parent. */
    private void attend(List<List<Integer>> parts, boolean atService) {
        if (!atService) {
            new ParentRendezvous(parent, parts, List.of()).close();
        }
    }

    private Communicator join(
            List<List<Integer>> parts, List<Integer> part, String end, boolean atService) {
        CommunicatorConfig child =
                CommunicatorConfig.builder(config.jobId(), part.indexOf(parent.rank()), part.size())
                        .name(config.name() + end)
                        .serviceUri(config.serviceUri())
                        .serviceToken(config.serviceToken())
                        .rootAddress(config.rootAddress())
                        .madcap(config.madcap())
                        .networkInterface(parent.info().local().interfaceName())
                        .key(config.key())
                        .joinTimeout(config.joinTimeout())
                        .parameters(config.parameters())
                        .build();
        return atService
                ? CommunicatorFactory.join(child)
                : CommunicatorFactory.join(child, new ParentRendezvous(parent, parts, part));
    }
}
