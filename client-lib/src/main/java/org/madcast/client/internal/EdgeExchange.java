package org.madcast.client.internal;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.madcast.client.Edge;
import org.madcast.client.schedule.Counts;
import org.madcast.client.schedule.Rooted;
import org.madcast.client.schedule.Schedule;
import org.madcast.client.schedule.Slice;

/**
 * The memory of an exchange: a piece for each edge. Of the slices of its schedule the offset is an
 * edge's place among those that send, or that receive.
 */
record EdgeExchange(List<Edge> sent, List<Edge> received) {

    EdgeExchange {
        sent = List.copyOf(sent);
        received = List.copyOf(received);
    }

    Edge edge(Slice slice) {
        return (slice.buffer() == Slice.Buffer.INPUT ? sent : received).get((int) slice.offset());
    }

    Schedule schedule() {
        return Rooted.neighbourAlltoall(
                ranks(received),
                ranks(sent),
                Counts.even(sent.size(), 1),
                Counts.even(received.size(), 1));
    }

    private static int[] ranks(List<Edge> edges) {
        return edges.stream().mapToInt(Edge::rank).toArray();
    }

    /** Refuses what the ranks of a communicator cannot exchange. */
    void check(MessagingCommunicator ranks) {
        for (Edge edge : sent) {
            int _ = ranks.checkRank("destination", edge.rank());
            ranks.checkMemory(to(edge), edge.memory());
            if (edge.memoryForBytes() != null) {
                throw new IllegalArgumentException(to(edge) + " has no memory yet");
            }
        }
        for (int i = 0; i < received.size(); i++) {
            Edge edge = received.get(i);
            int _ = ranks.checkRank("source", edge.rank());
            ranks.checkMemory(from(edge), edge.memory());
            if (edge.memory().isReadOnly()) {
                throw new IllegalArgumentException(from(edge) + " goes to read-only memory");
            }
            sent.forEach(other -> checkApart(EdgeExchange::to, other, edge));
            received.subList(0, i).forEach(other -> checkApart(EdgeExchange::from, other, edge));
        }
        checkOwn(ranks.rank(), ofRank(sent, ranks.rank()), ofRank(received, ranks.rank()));
    }

    private static String to(Edge edge) {
        return "the message to rank " + edge.rank();
    }

    private static String from(Edge edge) {
        return "the message from rank " + edge.rank();
    }

    private static void checkApart(Function<Edge, String> name, Edge other, Edge into) {
        if (other.memory().byteSize() > 0
                && into.memory().byteSize() > 0
                && other.memory().asOverlappingSlice(into.memory()).isPresent()) {
            throw new IllegalArgumentException(
                    "%s and %s overlap in memory".formatted(name.apply(other), from(into)));
        }
    }

    private static List<Edge> ofRank(List<Edge> edges, int rank) {
        return edges.stream().filter(edge -> edge.rank() == rank).toList();
    }

    private static void checkOwn(int rank, List<Edge> out, List<Edge> in) {
        if (out.size() != in.size()) {
            throw new IllegalArgumentException(
                    "rank %d sends itself %d messages, but receives %d"
                            .formatted(rank, out.size(), in.size()));
        }
        IntStream.range(0, in.size())
                .filter(i -> in.get(i).memoryForBytes() == null)
                .forEach(i ->
                        checkOwn(
                                rank,
                                out.get(i).memory().byteSize(),
                                in.get(i).memory().byteSize()));
    }

    private static void checkOwn(int rank, long sent, long received) {
        if (sent != received) {
            throw new IllegalArgumentException(
                    "rank %d sends itself %d bytes, but receives %d"
                            .formatted(rank, sent, received));
        }
    }
}
