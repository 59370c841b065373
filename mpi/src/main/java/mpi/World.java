package mpi;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MessageStatus;
import org.madcast.client.Messages;
import org.madcast.client.RankLostException;

/**
 * Processes that met: those of COMM_WORLD, or two groups that were connected. It ends with the last
 * communicator that was made out of it.
 */
final class World {

    private static final int MEETING_TAG = 1;

    /** Of messages that are never sent. */
    private static final int WATCH_TAG = 2;

    private final Communicator ranks;

    /** By which the processes watch each other. */
    private final Communicator control;

    private final AtomicInteger users = new AtomicInteger();
    private volatile int[] numbers;

    private World(Communicator ranks) {
        this.ranks = ranks;
        this.control = ranks.dup();
        this.numbers = Group.allRanks(ranks.size());
    }

    /** Joins the processes of a configuration. */
    static World join(CommunicatorConfig config) {
        World joined = new World(Communicator.join(config));
        joined.meetNeighbours();
        return joined;
    }

    /**
     * Opens a connection to the next rank, and to the one before: a rank that dies is then known to
     * be lost at once, though it never sent or received a message.
     */
    private void meetNeighbours() {
        int size = control.size();
        if (size > 1) {
            int next = (control.rank() + 1) % size;
            int before = (control.rank() + size - 1) % size;
            CompletableFuture<MessageStatus> met = control.irecv(Payload.EMPTY, next, MEETING_TAG);
            control.send(Payload.EMPTY, before, MEETING_TAG);
            MessageStatus _ = met.join();
        }
    }

    /** The communicator in which the processes met. */
    Communicator ranks() {
        return ranks;
    }

    /** A communicator of the same processes for what this library says to itself. */
    Communicator control() {
        return control;
    }

    /** Learns which processes have met, of which each names itself; a collective call. */
    void introduce(Processes processes, Processes.Identity self) {
        long[] all = new long[2 * ranks.size()];
        ranks.allgather(
                MemorySegment.ofArray(new long[] {self.job(), self.rank()}),
                MemorySegment.ofArray(all));
        numbers =
                IntStream.range(0, ranks.size())
                        .map(rank ->
                                processes.numberOf(
                                        new Processes.Identity(
                                                all[2 * rank], (int) all[2 * rank + 1])))
                        .toArray();
    }

    /** The processes of a communicator that was made out of this world's. */
    Group groupOf(Communicator made) {
        return new Group(
                IntStream.range(0, made.size())
                        .map(rank -> numbers[made.worldRank(rank)])
                        .toArray());
    }

    /** Has an action run when one of these ranks, by its number here, dies; not if it leaves. */
    void whenLost(IntPredicate which, Runnable action) {
        var _ =
                control.irecv(Payload.EMPTY, Messages.ANY_SOURCE, WATCH_TAG)
                        .whenComplete((_, failed) -> {
                            if (failed instanceof RankLostException lost) {
                                Thread _ =
                                        Thread.startVirtualThread(() -> {
                                            if (!lost.hasLeft() && which.test(lost.rank())) {
                                                action.run();
                                            } else {
                                                goOnAfterLoss(() -> whenLost(which, action));
                                            }
                                        });
                            }
                        });
    }

    /**
     * Accepts that ranks are lost, and runs an action which needs those that are left; not if no
     * other is left. What ends here meanwhile ends the action too.
     */
    void goOnAfterLoss(Runnable action) {
        try {
            if (control.acknowledgeLost().size() < control.size() - 1) {
                action.run();
            }
        } catch (RuntimeException closed) {
            System.getLogger(World.class.getName())
                    .log(System.Logger.Level.TRACE, "the job ends", closed);
        }
    }

    /** A communicator of it was made. */
    void use() {
        users.incrementAndGet();
    }

    /** A communicator of it was closed. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    private void close() {
        control.close();
        ranks.close();
    }
}
