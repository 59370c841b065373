package org.madcast.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.madcast.client.schedule.Slice.Buffer;

/**
 * Runs the schedules of all ranks on symbols instead of numbers. A symbol says which element it
 * stands for and which ranks have contributed, in which order. Fails when a rank uses what is not
 * there, when a round sends memory that it also receives into, when a message has another length
 * than its receive, when ranks wait for each other, and when a message is left over.
 */
final class SymbolicRun {

    /**
     * An element: its name, and the ranks whose contributions are combined in it, left to right.
     */
    record Symbol(long name, List<Integer> ranks) {
        private Symbol with(Symbol right) {
            assertThat(right.name).as("combines different elements").isEqualTo(name);
            List<Integer> both = new ArrayList<>(ranks);
            both.addAll(right.ranks);
            assertThat(both).as("combines a contribution twice").doesNotHaveDuplicates();
            return new Symbol(name, List.copyOf(both));
        }
    }

    private final int size;
    private final List<Schedule> schedules = new ArrayList<>();
    private final List<Memory> memories = new ArrayList<>();
    private final Map<Long, ArrayDeque<Symbol[]>> channels = new HashMap<>();
    private final int[] rounds;
    private final List<List<Step.Receive>> waiting = new ArrayList<>();
    int mostRounds;
    long sentElements;

    /** The buffers of a rank; the input may be a part of the output. */
    private static final class Memory {
        final Symbol[] input;
        final Symbol[] output;
        final Symbol[] scratch;
        final int inputInOutput;

        Memory(long input, long output, long scratch, int inputInOutput) {
            this.output = new Symbol[(int) output];
            this.input = inputInOutput < 0 ? new Symbol[(int) input] : this.output;
            this.scratch = new Symbol[(int) scratch];
            this.inputInOutput = inputInOutput;
        }

        Symbol[] array(Buffer buffer) {
            return switch (buffer) {
                case INPUT -> input;
                case OUTPUT -> output;
                case SCRATCH -> scratch;
            };
        }

        int start(Slice slice) {
            boolean shifted = slice.buffer() == Buffer.INPUT && inputInOutput >= 0;
            return (int) slice.offset() + (shifted ? inputInOutput : 0);
        }

        Symbol[] read(Slice slice) {
            int from = start(slice);
            Symbol[] read =
                    Arrays.copyOfRange(array(slice.buffer()), from, from + (int) slice.count());
            assertThat(read).as("reads %s before it is there", slice).doesNotContainNull();
            return read;
        }

        void write(Slice slice, Symbol[] symbols) {
            assertThat(symbols.length).isEqualTo((int) slice.count());
            if (slice.buffer() == Buffer.INPUT) {
                throw new AssertionError("writes into the input: " + slice);
            }
            System.arraycopy(symbols, 0, array(slice.buffer()), start(slice), symbols.length);
        }

        @SuppressWarnings("ReferenceEquality") // two arrays may hold the same symbols
        boolean overlap(Slice a, Slice b) {
            return array(a.buffer()) == array(b.buffer())
                    && start(a) < start(b) + b.count()
                    && start(b) < start(a) + a.count();
        }
    }

    SymbolicRun(int size, IntFunction<Schedule> schedule) {
        this.size = size;
        this.rounds = new int[size];
        for (int rank = 0; rank < size; rank++) {
            schedules.add(schedule.apply(rank));
            waiting.add(List.of());
        }
    }

    /** Gives the next rank its buffers; {@code inputInOutput} is -1, or where the input lies. */
    SymbolicRun memory(Symbol[] input, long output, int inputInOutput) {
        int rank = memories.size();
        Memory memory =
                new Memory(input.length, output, schedules.get(rank).scratch(), inputInOutput);
        System.arraycopy(input, 0, memory.input, Math.max(inputInOutput, 0), input.length);
        memories.add(memory);
        return this;
    }

    /** Runs all ranks to their ends. */
    SymbolicRun run() {
        for (int rank = 0; rank < size; rank++) {
            start(rank);
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int rank = 0; rank < size; rank++) {
                while (rounds[rank] < schedules.get(rank).rounds().size() && finish(rank)) {
                    rounds[rank]++;
                    start(rank);
                    moved = true;
                }
            }
        }
        for (int rank = 0; rank < size; rank++) {
            assertThat(rounds[rank])
                    .as("rank %d waits for ever", rank)
                    .isEqualTo(schedules.get(rank).rounds().size());
            mostRounds = Math.max(mostRounds, rounds[rank]);
        }
        channels.forEach((channel, left) ->
                assertThat(left)
                        .as("never received: %d to %d", channel / size, channel % size)
                        .isEmpty());
        return this;
    }

    @Nullable Symbol[] output(int rank) {
        return memories.get(rank).output;
    }

    private ArrayDeque<Symbol[]> channel(int from, int to) {
        return channels.computeIfAbsent((long) from * size + to, _ -> new ArrayDeque<>());
    }

    private void start(int rank) {
        if (rounds[rank] == schedules.get(rank).rounds().size()) {
            return;
        }
        Memory memory = memories.get(rank);
        List<Step> steps = schedules.get(rank).rounds().get(rounds[rank]);
        List<Step.Receive> receives = new ArrayList<>();
        List<Slice> sources = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Copy(Slice from, Slice to) -> memory.write(to, memory.read(from));
                case Step.Combine(Slice from, Slice into, boolean fromIsLeft) -> {
                    Symbol[] one = memory.read(from);
                    Symbol[] other = memory.read(into);
                    for (int i = 0; i < one.length; i++) {
                        other[i] = fromIsLeft ? one[i].with(other[i]) : other[i].with(one[i]);
                    }
                    memory.write(into, other);
                }
                case Step.Send(int peer, Slice data) -> {
                    assertThat(peer).isBetween(0, size - 1).isNotEqualTo(rank);
                    channel(rank, peer).add(memory.read(data));
                    sources.add(data);
                    sentElements += data.count();
                }
                case Step.Receive receive -> {
                    assertThat(receive.peer()).isBetween(0, size - 1).isNotEqualTo(rank);
                    receives.add(receive);
                }
            }
        }
        for (int i = 0; i < receives.size(); i++) {
            Slice into = receives.get(i).into();
            sources.forEach(it ->
                    assertThat(memory.overlap(it, into))
                            .as("sends %s, receives %s", it, into)
                            .isFalse());
            receives.subList(0, i)
                    .forEach(it ->
                            assertThat(memory.overlap(it.into(), into))
                                    .as("receives twice")
                                    .isFalse());
        }
        waiting.set(rank, receives);
    }

    /** Whether everything that the round receives is there; then it is received. */
    private boolean finish(int rank) {
        Map<Integer, Integer> wanted = new HashMap<>();
        for (Step.Receive each : waiting.get(rank)) {
            int count = wanted.merge(each.peer(), 1, Integer::sum);
            if (channel(each.peer(), rank).size() < count) {
                return false;
            }
        }
        for (Step.Receive each : waiting.get(rank)) {
            Symbol[] message = channel(each.peer(), rank).removeFirst();
            assertThat((long) message.length)
                    .as("rank %d receives %s", rank, each)
                    .isEqualTo(each.into().count());
            memories.get(rank).write(each.into(), message);
        }
        return true;
    }
}
