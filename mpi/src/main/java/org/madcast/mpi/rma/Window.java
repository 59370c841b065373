package org.madcast.mpi.rma;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;
import org.madcast.mpi.datatype.TypeMap;
import org.madcast.mpi.rma.Frame.Action;

/**
 * A window as an origin uses it: requests to targets, in one order to each of them, and the
 * synchronisations. Any number of threads may call.
 */
public final class Window {

    static final int REQUEST_TAG = 0;
    private static final int POST_TAG = 1;
    private static final int COMPLETE_TAG = 2;
    private static final int FIRST_REPLY_TAG = 3;

    /** How many messages may be on their way before a call waits for the oldest. */
    private static final int MOST_ON_THE_WAY = 256;

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    /** The place of an access at its target. */
    public record Place(int target, long displacement, long count, TypeMap type) {}

    private final Communicator all;
    private final Queue<Sent> sent = new ArrayDeque<>();
    private final List<Answer> unsettled = new ArrayList<>();
    private final boolean[] used;
    private int lastReplyTag = FIRST_REPLY_TAG;

    /** A message to a target; the future ends when the origin's buffer is free. */
    public record Sent(int target, CompletableFuture<MessageStatus> future) {}

    /**
     * Makes a window, which serves the other ranks from now on.
     *
     * @param all a communicator that nothing else uses
     */
    public Window(Communicator all, TargetMemory memory) {
        this.all = all;
        this.used = new boolean[all.size()];
        Target _ = new Target(all, memory);
    }

    private synchronized int replyTag() {
        lastReplyTag = lastReplyTag == Integer.MAX_VALUE ? FIRST_REPLY_TAG : lastReplyTag + 1;
        return lastReplyTag;
    }

    private Sent send(int target, Frame frame) {
        MemorySegment message = frame.toMessage();
        synchronized (this) {
            while (sent.size() >= MOST_ON_THE_WAY) {
                MessageStatus _ = sent.remove().future.join();
            }
            Sent begun = new Sent(target, all.isend(message, target, REQUEST_TAG));
            sent.add(begun);
            return begun;
        }
    }

    private Answer ask(int target, Frame frame, Consumer<MemorySegment> store) {
        Answer answer = new Answer(all, target, frame.replyTag(), store);
        Sent _ = send(target, frame);
        return answer;
    }

    private void askAndWait(int target, Action action) {
        ask(target, Frame.of(action, replyTag()), _ -> {}).settle();
    }

    private synchronized void remember(int target) {
        used[target] = true;
    }

    /** MPI_Put. */
    public Sent put(Place to, MemorySegment data) {
        remember(to.target);
        return send(to.target, frame(Action.PUT, 0, to, 0, 0, data));
    }

    /** MPI_Accumulate. */
    public Sent accumulate(Place to, MemorySegment data, int operation, int basic) {
        remember(to.target);
        return send(to.target, frame(Action.ACCUMULATE, 0, to, operation, basic, data));
    }

    /** MPI_Get. */
    public Answer get(Place from, Consumer<MemorySegment> store) {
        return request(frame(Action.GET, replyTag(), from, 0, 0, NOTHING), from, store);
    }

    /** MPI_Get_accumulate. */
    public Answer getAccumulate(
            Place to, MemorySegment data, int operation, int basic, Consumer<MemorySegment> store) {
        Frame frame = frame(Action.GET_ACCUMULATE, replyTag(), to, operation, basic, data);
        return request(frame, to, store);
    }

    /**
     * MPI_Compare_and_swap.
     *
     * @param data what is compared, then what is stored if it is equal
     */
    public Answer compareAndSwap(Place to, MemorySegment data, Consumer<MemorySegment> store) {
        return request(frame(Action.COMPARE_AND_SWAP, replyTag(), to, 0, 0, data), to, store);
    }

    private static Frame frame(
            Action action, int tag, Place at, int operation, int basic, MemorySegment data) {
        return new Frame(action, tag, at.displacement, at.count, at.type, operation, basic, data);
    }

    private Answer request(Frame frame, Place at, Consumer<MemorySegment> store) {
        remember(at.target);
        Answer answer = ask(at.target, frame, store);
        synchronized (this) {
            unsettled.add(answer);
        }
        return answer;
    }

    /** Ends what was begun, at this rank (MPI_Win_flush_local); all targets when it is negative. */
    public void flushLocal(int target) {
        List<Answer> answers;
        List<Sent> sends;
        synchronized (this) {
            answers = unsettled.stream().filter(it -> concerns(it.target(), target)).toList();
            unsettled.removeAll(answers);
            sends = sent.stream().filter(it -> concerns(it.target, target)).toList();
            sent.removeAll(sends);
        }
        sends.forEach(it -> it.future.join());
        settle(answers);
    }

    private static boolean concerns(int rank, int target) {
        return target < 0 || rank == target;
    }

    private static void settle(List<Answer> answers) {
        RmaException first = null;
        for (Answer each : answers) {
            try {
                each.settle();
            } catch (RmaException wrong) {
                first = first == null ? wrong : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Ends what was begun, at this rank and the target (MPI_Win_flush). */
    public void flush(int target) {
        flush(List.of(target), Action.FLUSH);
    }

    private void flush(List<Integer> targets, Action action) {
        List<Answer> answers = new ArrayList<>();
        for (int target : targets) {
            answers.add(ask(target, Frame.of(action, replyTag()), _ -> {}));
        }
        RmaException wrong = null;
        for (int target : targets) {
            try {
                flushLocal(target);
            } catch (RmaException mistake) {
                wrong = wrong == null ? mistake : wrong;
            }
        }
        settle(answers);
        if (wrong != null) {
            throw wrong;
        }
    }

    /** As {@link #flush}, of every target that was used (MPI_Win_flush_all). */
    public void flushAll() {
        List<Integer> targets = new ArrayList<>();
        synchronized (this) {
            for (int rank = 0; rank < used.length; rank++) {
                if (used[rank]) {
                    targets.add(rank);
                    used[rank] = false;
                }
            }
        }
        flush(targets, Action.FLUSH);
    }

    /** Ends everyone's accesses; a collective call (MPI_Win_fence). */
    public void fence() {
        RmaException wrong = null;
        try {
            flushAll();
        } catch (RmaException mistake) {
            wrong = mistake;
        }
        all.barrier();
        if (wrong != null) {
            throw wrong;
        }
    }

    /** Waits for a target's lock. */
    public void lock(int target, boolean exclusive) {
        askAndWait(target, exclusive ? Action.LOCK_EXCLUSIVE : Action.LOCK_SHARED);
    }

    /** Waits for the shared locks of all targets. */
    public void lockAll() {
        List<Answer> answers = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++) {
            answers.add(ask(rank, Frame.of(Action.LOCK_SHARED, replyTag()), _ -> {}));
        }
        settle(answers);
    }

    /** Ends the accesses to a target and gives its lock back. */
    public void unlock(int target) {
        flush(List.of(target), Action.UNLOCK);
    }

    /** As {@link #unlock}, of all targets. */
    public void unlockAll() {
        List<Integer> everyone = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++) {
            everyone.add(rank);
        }
        flush(everyone, Action.UNLOCK);
    }

    /** Lets these origins begin; the results end when each has called {@link #complete}. */
    public List<CompletableFuture<MessageStatus>> post(int[] origins) {
        List<CompletableFuture<MessageStatus>> completions = new ArrayList<>();
        for (int origin : origins) {
            completions.add(all.irecv(NOTHING, origin, COMPLETE_TAG));
            var _ = all.isend(NOTHING, origin, POST_TAG);
        }
        return completions;
    }

    /** Waits until these targets have posted. */
    public void start(int[] targets) {
        for (int target : targets) {
            MessageStatus _ = all.recv(NOTHING, target, POST_TAG);
        }
    }

    /** Ends the accesses to these targets and tells them. */
    public void complete(int[] targets) {
        List<Integer> list = new ArrayList<>();
        for (int target : targets) {
            list.add(target);
        }
        RmaException wrong = null;
        try {
            flush(list, Action.FLUSH);
        } catch (RmaException mistake) {
            wrong = mistake;
        }
        for (int target : targets) {
            var _ = all.isend(NOTHING, target, COMPLETE_TAG);
        }
        if (wrong != null) {
            throw wrong;
        }
    }

    /** Looks whether futures are done, and moves the transfers on. */
    public boolean haveEnded(@Nullable List<CompletableFuture<MessageStatus>> futures) {
        if (futures == null) {
            return true;
        }
        if (!futures.stream().allMatch(CompletableFuture::isDone)) {
            all.poll();
        }
        return futures.stream().allMatch(CompletableFuture::isDone);
    }

    /** Leaves, after all ranks have ended their accesses; a collective call (MPI_Win_free). */
    public void close() {
        try {
            fence();
        } finally {
            all.close();
        }
    }
}
