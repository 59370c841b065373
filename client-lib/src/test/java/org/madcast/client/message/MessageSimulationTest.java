package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.client.message.Carrier.Frame;
import org.madcast.client.message.Carrier.Landing;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/**
 * Engines on simulated connections, which lose nothing but delay as they like, beside a model of
 * what each receive must get. Some seeds kill a rank.
 */
class MessageSimulationTest {

    private static final int SEEDS = 60;
    private static final int BUDGET_BYTES = 64 << 10;

    @Test
    void everyReceiveGetsWhatTheModelSays() {
        Seeds.forEach(SEEDS, seed -> new World(seed, false).run());
    }

    @Test
    void aLostRankEndsWhatDependsOnItAndNothingElse() {
        Seeds.forEach(SEEDS, seed -> new World(seed, true).run());
    }

    /**
     * Its own message is announced first: else the other rank, which has waited, would send its
     * bytes before it answers, and this rank's bytes would wait for all of them.
     */
    @Test
    void aRankThatExchangesAnnouncesBeforeItAsksForBytes() {
        List<FrameHeader.Type> sent = new ArrayList<>();
        MessageEngine engine =
                new MessageEngine((_, frame) -> sent.add(frame.header().type()), BUDGET_BYTES);
        engine.open(new Everybody(), 0);
        byte[] there = new byte[100_000];
        byte[] back = new byte[there.length];
        Landing _ = engine.onFrame(1, FrameHeader.ready(0, 5, 1, 0, there.length));
        engine.receive(new Receive(0, 1, 5, 0, MemorySegment.ofArray(back), null, () -> {}));
        engine.send(new Send(0, 1, 5, 0, MemorySegment.ofArray(there), false, () -> {}));
        engine.release();
        assertThat(sent).containsExactly(FrameHeader.Type.READY, FrameHeader.Type.CLEAR);
    }

    /** A collective call that fails with a rank takes its other receives back. */
    @Test
    void theEndOfAReceiveMayCancelOthersWhenARankIsLost() {
        MessageEngine engine = new MessageEngine((_, _) -> {}, BUDGET_BYTES);
        engine.open(new Everybody(), 0, 1);
        List<Receive> receives = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Receive receive =
                    new Receive(
                            0,
                            i % 2,
                            i,
                            0,
                            MemorySegment.ofArray(new byte[1]),
                            null,
                            () -> receives.forEach(engine::cancel));
            receives.add(receive);
            engine.receive(receive);
        }
        engine.onLost(1, "killed");
        Outcome lost = new Outcome.Lost(1, "killed");
        assertThat(receives)
                .allMatch(it ->
                        it.source == 1
                                ? lost.equals(it.outcome())
                                : it.outcome() instanceof Outcome.Cancelled);
    }

    @Test
    void whatAReceiverKeepsIsBounded() {
        World world = new World(1, false, 2);
        for (int i = 0; i < 10_000; i++) {
            world.send(0, 1, 0, 1, 1000);
        }
        world.drain();
        assertThat(world.nodes.get(1).keptBytes()).isLessThanOrEqualTo(BUDGET_BYTES);
        for (int i = 0; i < 10_000; i++) {
            world.receive(1, 0, 0, 1, 1000);
        }
        world.drain();
        world.check();
        assertThat(world.nodes.get(1).receives).allMatch(it -> it.receive.outcome() != null);
    }

    @Test
    void aThousandRanksSendToOne() {
        World world = new World(1, false, 1001);
        for (int rank = 1; rank <= 1000; rank++) {
            world.send(rank, 0, 0, 3, 40_000);
            world.send(rank, 0, 0, 3, 0);
        }
        world.drain();
        for (int i = 0; i < 2000; i++) {
            world.receive(0, Matching.ANY, 0, Matching.ANY, 40_000);
        }
        world.drain();
        world.check();
        assertThat(world.nodes.get(0).receives).allMatch(it -> it.receive.outcome() != null);
    }

    /** A message that was sent: its bytes are made of its number. */
    private record Sent(int from, int tag, MemorySegment memory, Send send) {
        byte[] bytes() {
            return memory.toArray(ValueLayout.JAVA_BYTE);
        }

        static byte[] content(int number, int bytes) {
            byte[] content = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                content[i] = (byte) (number * 31 + i * 7 + (i >> 8));
            }
            return content;
        }
    }

    private static final class Expected {
        final Receive receive;
        final byte[] buffer;
        int number = -1;

        Expected(Receive receive, byte[] buffer) {
            this.receive = receive;
            this.buffer = buffer;
        }
    }

    /** One direction between two ranks. */
    private static final class Link {
        final ArrayDeque<Frame> frames = new ArrayDeque<>();
        @Nullable Landing landing;
        boolean headerDone;
    }

    /** A context of all ranks. */
    static class Everybody implements MessageEndpoint.Context {
        @Override
        public boolean isMember(int rank) {
            return true;
        }

        @Override
        public void onAbort(byte[] why) {
            throw new AssertionError("no collective call is made");
        }
    }

    private static final class World {
        final RandomStream random;
        final boolean kills;
        final List<Node> nodes = new ArrayList<>();
        final Map<Integer, Link> links = new HashMap<>();
        final List<Integer> busy = new ArrayList<>();
        final List<Sent> sent = new ArrayList<>();
        int dead = -1;

        World(long seed, boolean kills) {
            this(seed, kills, 2 + RandomStream.of(seed, "size").nextInt(4));
        }

        World(long seed, boolean kills, int size) {
            this.random = RandomStream.of(seed, "messages");
            this.kills = kills;
            for (int rank = 0; rank < size; rank++) {
                nodes.add(new Node(this, rank));
            }
        }

        void run() {
            int steps = 200;
            int killAt = kills ? random.nextInt(steps) : -1;
            for (int step = 0; step < steps; step++) {
                if (step == killAt) {
                    kill(random.nextInt(nodes.size()));
                }
                act();
                nodes.get(random.nextInt(nodes.size())).engine.release();
                for (int i = random.nextInt(4); i > 0; i--) {
                    deliver();
                }
            }
            drain();
            check();
        }

        private void act() {
            int rank = random.nextInt(nodes.size());
            int other = random.nextInt(nodes.size());
            if (rank == dead) {
                return;
            }
            int tag = random.nextInt(3);
            int context = random.nextInt(2);
            if (random.nextInt(2) == 0) {
                int[] sizes = {0, 1, 100, 20_000, 40_000, 700_000};
                send(rank, other, context, tag, sizes[random.nextInt(sizes.length)]);
            } else {
                int[] sizes = {10, 20_000, 700_000, 700_000, 700_000};
                receive(
                        rank,
                        random.nextInt(3) == 0 ? Matching.ANY : other,
                        context,
                        random.nextInt(3) == 0 ? Matching.ANY : tag,
                        sizes[random.nextInt(sizes.length)]);
            }
        }

        void send(int from, int to, int context, int tag, int bytes) {
            int number = sent.size();
            byte[] content = Sent.content(number, bytes);
            boolean synchronous = random.nextInt(8) == 0;
            Send send =
                    new Send(
                            context,
                            to,
                            tag,
                            0,
                            MemorySegment.ofArray(content),
                            synchronous,
                            () -> {});
            sent.add(new Sent(from, tag, MemorySegment.ofArray(content), send));
            nodes.get(from).begin(send, number);
        }

        void receive(int rank, int source, int context, int tag, int bytes) {
            nodes.get(rank).begin(source, context, tag, bytes);
        }

        private void kill(int rank) {
            dead = rank;
            for (Node node : nodes) {
                if (node.rank != rank) {
                    links.remove(link(rank, node.rank));
                    links.remove(link(node.rank, rank));
                    node.model.receives.removeIf(it -> it[1] == rank || it[1] == Matching.ANY);
                    node.engine.onLost(rank, "killed");
                }
            }
        }

        private int link(int from, int to) {
            return from * nodes.size() + to;
        }

        void enqueue(int from, int to, Frame frame) {
            if (from == dead || to == dead) {
                return;
            }
            Link link = links.computeIfAbsent(link(from, to), _ -> new Link());
            if (link.frames.isEmpty()) {
                busy.add(link(from, to));
            }
            link.frames.add(frame);
        }

        void drain() {
            do {
                nodes.forEach(node -> node.engine.release());
            } while (deliver());
        }

        /** Half a frame of one link: a header, or a body. */
        private boolean deliver() {
            if (busy.isEmpty()) {
                return false;
            }
            int place = random.nextInt(busy.size());
            int name = busy.get(place);
            Link link = links.get(name);
            if (link == null) {
                busy.subList(place, place + 1).clear();
                return true;
            }
            int from = name / nodes.size();
            int to = name % nodes.size();
            Frame frame = link.frames.getFirst();
            if (!link.headerDone) {
                link.landing = nodes.get(to).onHeader(from, frame.header());
                link.headerDone = true;
            } else {
                Landing landing = Objects.requireNonNull(link.landing);
                long room = Math.min(frame.body().byteSize(), landing.target().byteSize());
                if (frame.header().bodyBytes() > 0) {
                    MemorySegment.copy(frame.body(), 0, landing.target(), 0, room);
                    nodes.get(to).engine.onBody(from, landing);
                }
                link.headerDone = false;
                link.frames.removeFirst();
                if (link.frames.isEmpty()) {
                    busy.remove(Integer.valueOf(name)); // by value
                }
                nodes.get(from).engine.onSent(to, frame);
            }
            return true;
        }

        void check() {
            for (Node node : nodes) {
                if (node.rank != dead) {
                    node.receives.forEach(this::check);
                }
            }
            for (Sent each : sent) {
                if (each.from != dead && each.send.destination == dead) {
                    assertThat(each.send.outcome()).isNotNull();
                }
            }
        }

        private void check(Expected expected) {
            Outcome outcome = expected.receive.outcome();
            if (expected.number < 0) {
                boolean ends = dead >= 0 && expected.receive.source == dead;
                boolean any = dead >= 0 && expected.receive.source == Matching.ANY;
                if (ends) {
                    assertThat(outcome).isInstanceOf(Outcome.Lost.class);
                } else if (!any) {
                    assertThat(outcome).isNull();
                }
                return;
            }
            Sent message = sent.get(expected.number);
            if (message.from == dead && outcome instanceof Outcome.Lost(int rank, _)) {
                assertThat(rank).isEqualTo(dead);
            } else if (message.bytes().length > expected.buffer.length) {
                assertThat(outcome)
                        .isEqualTo(
                                new Outcome.TooLong(
                                        message.from, message.tag, message.bytes().length));
                assertThat(Arrays.equals(expected.buffer, new byte[expected.buffer.length]))
                        .isTrue();
            } else {
                assertThat(outcome)
                        .isEqualTo(
                                new Outcome.Complete(
                                        message.from, message.tag, message.bytes().length));
                int end = message.bytes().length;
                assertThat(Arrays.equals(expected.buffer, 0, end, message.bytes(), 0, end))
                        .isTrue();
                if (message.from != dead) {
                    assertThat(message.send.outcome()).isInstanceOf(Outcome.Complete.class);
                }
            }
        }
    }

    private static final class Node {
        final World world;
        final int rank;
        final MessageEngine engine;
        final MatchingModel model = new MatchingModel();
        final List<Expected> receives = new ArrayList<>();

        /** The number of the message that each of this rank's identifiers stands for. */
        final Map<Long, Integer> numbers = new HashMap<>();

        Node(World world, int rank) {
            this.world = world;
            this.rank = rank;
            this.engine =
                    new MessageEngine((to, frame) -> world.enqueue(rank, to, frame), BUDGET_BYTES);
            engine.open(new Everybody(), 0, 1);
        }

        void begin(Send send, int number) {
            engine.send(send);
            numbers.put(send.id, number);
        }

        void begin(int source, int context, int tag, int bytes) {
            byte[] buffer = new byte[bytes];
            Receive receive =
                    new Receive(
                            context, source, tag, 0, MemorySegment.ofArray(buffer), null, () -> {});
            Expected expected = new Expected(receive, buffer);
            receives.add(expected);
            boolean lost = world.dead >= 0 && (source == world.dead || source == Matching.ANY);
            int got =
                    lost && model.find(context, source, tag, 0) < 0
                            ? -1
                            : model.post(context, source, tag, receives.size() - 1);
            expected.number = got;
            engine.receive(receive);
        }

        Landing onHeader(int from, FrameHeader header) {
            boolean envelope =
                    header.type() == FrameHeader.Type.EAGER
                            || header.type() == FrameHeader.Type.READY;
            if (envelope) {
                int number = world.nodes.get(from).numbers.getOrDefault(header.id(), -1);
                int to = model.arrive((int) header.context(), from, header.tag(), number);
                if (to >= 0) {
                    receives.get(to).number = number;
                }
            }
            return engine.onFrame(from, header);
        }

        /** What the engine holds of messages that no receive has taken. */
        long keptBytes() {
            return engine.keptBytes();
        }
    }
}
