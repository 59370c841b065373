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
 * Makes communicators out of a communicator. The ranks exchange colour and key. The new ranks then
 * meet at the service, when the parent's group was leased there, else over the parent itself.
 */
final class Splitting {

    private record Wish(int rank, int color, int key, boolean leased) {}

    private static final int WISH_BYTES = 2 * Integer.BYTES + 1;

    private final Communicator parent;
    private final MessageGroup messages;
    private final CommunicatorConfig config;
    private final int number;
    private final String suffix;

    /**
     * @param number how many communicators were made out of this one before; the same on every rank
     */
    Splitting(Communicator parent, MessageGroup messages, CommunicatorConfig config, int number) {
        this.parent = parent;
        this.messages = messages;
        this.config = config;
        this.number = number;
        this.suffix = "." + number;
    }

    Communicator dup() {
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < parent.size(); rank++) {
            all.add(rank);
        }
        boolean atService = exchange(0, 0).getFirst().leased();
        return join(List.of(all), all, 0, suffix, atService);
    }

    Optional<Communicator> split(int color, int key) {
        Map<Integer, List<Wish>> byColor = new TreeMap<>();
        List<Wish> wishes = exchange(color, key);
        for (Wish wish : wishes) {
            if (wish.color() >= 0) {
                byColor.computeIfAbsent(wish.color(), _ -> new ArrayList<>()).add(wish);
            }
        }
        List<List<Integer>> parts = byColor.values().stream().map(Splitting::ordered).toList();
        List<Integer> own = color < 0 ? List.of() : ordered(byColor.getOrDefault(color, List.of()));
        boolean atService = wishes.getFirst().leased();
        if (own.isEmpty()) {
            attend(parts, atService);
            return Optional.empty();
        }
        return Optional.of(join(parts, own, color, suffix + "." + color, atService));
    }

    /**
     * All ranks' wishes, by rank. Whether they meet at the service is as rank 0 has it: another
     * rank may notice a moment later that the lease was lost, and ranks that went different ways
     * would wait for each other.
     */
    private List<Wish> exchange(int color, int key) {
        boolean leased = parent.info().groupSource() == GroupSource.LEASED;
        ByteBuffer own = ByteBuffer.allocate(WISH_BYTES);
        own.putInt(color).putInt(key).put((byte) (leased ? 1 : 0));
        byte[] all = new byte[WISH_BYTES * parent.size()];
        parent.allgather(MemorySegment.ofArray(own.array()), MemorySegment.ofArray(all));
        ByteBuffer in = ByteBuffer.wrap(all);
        List<Wish> wishes = new ArrayList<>();
        for (int rank = 0; rank < parent.size(); rank++) {
            wishes.add(new Wish(rank, in.getInt(), in.getInt(), in.get() == 1));
        }
        return wishes;
    }

    private static List<Integer> ordered(List<Wish> wishes) {
        return wishes.stream()
                .sorted(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank))
                .map(Wish::rank)
                .toList();
    }

    /** Takes part in what the others' meeting needs of every rank of the parent. */
    private void attend(List<List<Integer>> parts, boolean atService) {
        if (!atService) {
            new ParentRendezvous(parent, parts, List.of()).close();
        }
    }

    private Communicator join(
            List<List<Integer>> parts,
            List<Integer> part,
            int color,
            String end,
            boolean atService) {
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
        MessageGroup group = messages.part(part, part.indexOf(parent.rank()), context(color));
        try {
            return atService
                    ? CommunicatorFactory.join(child, group)
                    : CommunicatorFactory.join(
                            child, group, new ParentRendezvous(parent, parts, part));
        } catch (RuntimeException failed) {
            group.close();
            throw failed;
        }
    }

    /**
     * The same on all ranks of a part, and of no other communicator of the world, but by chance.
     */
    private long context(int color) {
        long mixed = messages.context() + 0x9E3779B97F4A7C15L * (2L * number + 1) + color;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
