package org.madcast.mpi.rma;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.madcast.mpi.datatype.Elements;
import org.madcast.mpi.datatype.TypeMap;
import org.madcast.mpi.datatype.TypeMap.Run;

/**
 * What an origin asks of a target: a fixed head of longs, the target's type map, then data. All
 * ranks of a job have one byte order, as everywhere in the messages of MPI programs.
 *
 * @param action what to do
 * @param replyTag the tag of the answer; 0 for none
 * @param displacement in the target's units
 * @param count how many elements of the type
 * @param type the target's type
 * @param operation the number of the operation of an accumulation
 * @param basic the number of the predefined type that the operation works on
 * @param data what is put or accumulated
 */
record Frame(
        Action action,
        int replyTag,
        long displacement,
        long count,
        TypeMap type,
        int operation,
        int basic,
        MemorySegment data) {

    /** What a target can be asked for. */
    enum Action {
        PUT(0),
        GET(1),
        ACCUMULATE(2),
        GET_ACCUMULATE(3),
        COMPARE_AND_SWAP(4),
        /** Answers when everything before it is done. */
        FLUSH(5),
        LOCK_SHARED(6),
        LOCK_EXCLUSIVE(7),
        UNLOCK(8);

        private final int code;

        Action(int code) {
            this.code = code;
        }
    }

    private static final Action[] ACTIONS = Action.values();

    /** Where the parts of the head are. */
    private static final int HEAD_LONGS = 12;

    private static final int RUN_LONGS = 4;
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;
    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    /** A request without data. */
    static Frame of(Action action, int replyTag) {
        return new Frame(action, replyTag, 0, 0, TypeMap.EMPTY, 0, 0, NONE);
    }

    static MemorySegment allocate(long bytes) {
        return bytes <= LONGEST_ARRAY
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    /** The message; the data are copied. */
    MemorySegment toMessage() {
        List<Run> runs = type.runs();
        long head = Long.BYTES * (HEAD_LONGS + (long) RUN_LONGS * runs.size());
        MemorySegment message = allocate(head + data.byteSize());
        long[] numbers = {
            action.code,
            replyTag,
            displacement,
            count,
            operation,
            basic,
            type.lb(),
            type.ub(),
            type.trueLb(),
            type.trueUb(),
            type.size(),
            runs.size()
        };
        MemorySegment.copy(
                MemorySegment.ofArray(numbers), 0, message, 0, (long) HEAD_LONGS * Long.BYTES);
        long at = (long) HEAD_LONGS * Long.BYTES;
        for (Run run : runs) {
            long[] parts = {run.offset(), run.bytes(), run.blocks(), run.stride()};
            MemorySegment.copy(
                    MemorySegment.ofArray(parts), 0, message, at, (long) RUN_LONGS * Long.BYTES);
            at += (long) RUN_LONGS * Long.BYTES;
        }
        MemorySegment.copy(data, 0, message, head, data.byteSize());
        return message;
    }

    private static long number(MemorySegment message, long index) {
        return message.get(JAVA_LONG_UNALIGNED, index * Long.BYTES);
    }

    static Frame read(MemorySegment message) {
        int runs = (int) number(message, 11);
        List<Run> all = new ArrayList<>(runs);
        long at = HEAD_LONGS;
        for (int i = 0; i < runs; i++, at += RUN_LONGS) {
            all.add(
                    new Run(
                            number(message, at),
                            number(message, at + 1),
                            number(message, at + 2),
                            number(message, at + 3)));
        }
        TypeMap type =
                new TypeMap(
                        all,
                        Elements.of(1, number(message, 10)),
                        number(message, 6),
                        number(message, 7),
                        number(message, 8),
                        number(message, 9),
                        TypeMap.EMPTY.marks(),
                        1);
        return new Frame(
                ACTIONS[(int) number(message, 0)],
                (int) number(message, 1),
                number(message, 2),
                number(message, 3),
                type,
                (int) number(message, 4),
                (int) number(message, 5),
                message.asSlice(at * Long.BYTES));
    }
}
