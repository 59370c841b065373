package org.madcast.agent.faults;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.madcast.client.BroadcastSite;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.MadcastException;
import org.madcast.client.RankLostException;

/**
 * A user's program that does what its parent says, line by line, and tells what came of it:
 *
 * <ul>
 *   <li>{@code bcast FIRST COUNT BYTES ROOT} broadcasts so many messages, every one unlike the
 *       others; root -1 stands for each rank in turn. Answered by {@code done COUNT WRONG
 *       LONGEST-MS} or, with the first exception, by {@code failed NUMBER CLASS LOST-RANK TOOK-MS
 *       TEXT};
 *   <li>{@code late COUNT BYTES MS THREADS}: rank 0 broadcasts so many messages, and before each
 *       one all meet, and all others come so much later, after so many threads have computed; they
 *       sleep when it is none, and {@link StandStill} when it is -1; answered by {@code done COUNT
 *       WRONG MEAN-US}, the mean time that the broadcasts took;
 *   <li>{@code sites COUNT BYTES MS}: two broadcasts of rank 0 in one loop, which behave
 *       oppositely: to the one named pivots all others come so much later, having stood still, to
 *       the one named rows rank 0 does; answered by {@code done COUNT WRONG MEAN-US}, the mean time
 *       of the pivots;
 *   <li>{@code collectives COUNT BYTES}: {@code COUNT} rounds of {@link FaultCollectives}; answered
 *       as {@code bcast} is;
 *   <li>{@code statistics}, answered by {@code statistics NAME=VALUE ...};
 *   <li>{@code leave} or the end of its input, upon which it leaves.
 * </ul>
 */
public final class FaultRank {

    private static final int SHIFTS = 4096;
    private static final int LARGEST_BYTES = 8 << 20;

    private final Communicator communicator;
    private final MemorySegment pattern;
    private final MemorySegment buffer;

    private FaultRank(Communicator communicator, Arena arena) {
        this.communicator = communicator;
        pattern = arena.allocate(LARGEST_BYTES + (long) SHIFTS * Long.BYTES, Long.BYTES);
        buffer = arena.allocate(LARGEST_BYTES, Long.BYTES);
        Random random = new Random(LARGEST_BYTES);
        for (long offset = 0; offset < pattern.byteSize(); offset += Long.BYTES) {
            pattern.set(ValueLayout.JAVA_LONG, offset, random.nextLong());
        }
    }

    /** Joins as its environment says and obeys. */
    public static void main(String[] arguments) throws IOException {
        try (Communicator communicator = Communicator.fromEnvironment();
                Arena arena = Arena.ofShared()) {
            FaultRank rank = new FaultRank(communicator, arena);
            InetSocketAddress group = requireNonNull(communicator.info().group()).toSocketAddress();
            tell(
                    "joined %s %d %016x"
                            .formatted(
                                    group.getAddress().getHostAddress(),
                                    group.getPort(),
                                    communicator.info().token()));
            rank.obey();
        } catch (MadcastException e) {
            tell(description(0, 0, e));
        }
    }

    private void obey() throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = lines.readLine()) != null && !line.equals("leave")) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("bcast")) {
                int root = Integer.parseInt(words[4]);
                broadcast(
                        Integer.parseInt(words[1]),
                        Integer.parseInt(words[2]),
                        Long.parseLong(words[3]),
                        root);
            } else if (words[0].equals("late")) {
                late(
                        Integer.parseInt(words[1]),
                        Long.parseLong(words[2]),
                        Duration.ofMillis(Long.parseLong(words[3])),
                        Integer.parseInt(words[4]));
            } else if (words[0].equals("sites")) {
                sites(
                        Integer.parseInt(words[1]),
                        Long.parseLong(words[2]),
                        Duration.ofMillis(Long.parseLong(words[3])));
            } else if (words[0].equals("collectives")) {
                collectives(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            } else {
                tellStatistics();
            }
        }
    }

    private void collectives(int count, int bytes) {
        int wrong = 0;
        long longestNs = 0;
        for (int round = 0; round < count; round++) {
            long startNs = System.nanoTime();
            try {
                wrong += FaultCollectives.round(communicator, round, bytes);
            } catch (MadcastException e) {
                tell(description(round, System.nanoTime() - startNs, e));
                return;
            } catch (CompletionException ended) {
                MadcastException why = (MadcastException) requireNonNull(ended.getCause());
                tell(description(round, System.nanoTime() - startNs, why));
                return;
            }
            longestNs = Math.max(longestNs, System.nanoTime() - startNs);
        }
        tell("done " + count + " " + wrong + " " + longestNs / 1_000_000);
    }

    private void broadcast(int first, int count, long bytes, int fixedRoot) {
        int wrong = 0;
        long longestNs = 0;
        for (int number = first; number < first + count; number++) {
            int root = fixedRoot >= 0 ? fixedRoot : number % communicator.size();
            MemorySegment expected = pattern.asSlice((long) (number % SHIFTS) * Long.BYTES, bytes);
            MemorySegment message = buffer.asSlice(0, bytes);
            if (root == communicator.rank()) {
                message.copyFrom(expected);
            } else {
                message.fill((byte) 0);
            }
            long startNs = System.nanoTime();
            try {
                communicator.bcast(message, root);
            } catch (MadcastException e) {
                tell(description(number, System.nanoTime() - startNs, e));
                return;
            }
            longestNs = Math.max(longestNs, System.nanoTime() - startNs);
            wrong += message.mismatch(expected) == -1 ? 0 : 1;
        }
        tell("done " + count + " " + wrong + " " + longestNs / 1_000_000);
    }

    /** The wait is what is tested: receivers that are late. */
    private void late(int count, long bytes, Duration lateness, int threads) {
        int wrong = 0;
        long tookNs = 0;
        for (int number = 0; number < count; number++) {
            meet();
            if (communicator.rank() > 0) {
                pass(lateness, threads);
            }
            MemorySegment message = prepare(number, bytes);
            long startNs = System.nanoTime();
            communicator.bcast(message, 0);
            tookNs += System.nanoTime() - startNs;
            wrong += message.mismatch(expected(number, bytes)) == -1 ? 0 : 1;
        }
        tell("done " + count + " " + wrong + " " + tookNs / count / 1000);
    }

    private void sites(int count, long bytes, Duration lateness) {
        BroadcastSite pivots = communicator.site("pivots");
        BroadcastSite rows = communicator.site("rows");
        int wrong = 0;
        long tookNs = 0;
        for (int number = 0; number < count; number++) {
            meet();
            if (communicator.rank() > 0) {
                pass(lateness, FaultJob.STANDING_STILL);
            }
            MemorySegment message = prepare(number, bytes);
            long startNs = System.nanoTime();
            pivots.bcast(message, 0);
            tookNs += System.nanoTime() - startNs;
            wrong += message.mismatch(expected(number, bytes)) == -1 ? 0 : 1;
            meet();
            if (communicator.rank() == 0) {
                pass(lateness, 0);
            }
            prepare(number + 1, bytes);
            rows.bcast(message, 0);
            wrong += message.mismatch(expected(number + 1, bytes)) == -1 ? 0 : 1;
        }
        tell("done " + count + " " + wrong + " " + tookNs / count / 1000);
    }

    /** All ranks are here at the same time, nearly. */
    private void meet() {
        MemorySegment meeting = buffer.asSlice(0, 1);
        for (int rank = 0; rank < communicator.size(); rank++) {
            communicator.bcast(meeting, rank);
        }
    }

    private MemorySegment expected(int number, long bytes) {
        return pattern.asSlice((long) (number % SHIFTS) * Long.BYTES, bytes);
    }

    /** Where a message goes, or what rank 0 is to send. */
    private MemorySegment prepare(int number, long bytes) {
        MemorySegment message = buffer.asSlice(0, bytes);
        if (communicator.rank() == 0) {
            message.copyFrom(expected(number, bytes));
        }
        return message;
    }

    private static void pass(Duration time, int threads) {
        long endNs = System.nanoTime() + time.toNanos();
        if (threads == FaultJob.STANDING_STILL) {
            StandStill.until(endNs);
        }
        List<Thread> computing = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            computing.add(Thread.ofPlatform().start(() -> compute(endNs)));
        }
        while (endNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(endNs - System.nanoTime());
        }
        try {
            for (Thread each : computing) {
                each.join();
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("nobody interrupts a rank", interrupted);
        }
    }

    private static void compute(long endNs) {
        while (endNs - System.nanoTime() > 0) {
            Thread.onSpinWait();
        }
    }

    private static String description(int number, long tookNs, MadcastException e) {
        int lost = e instanceof RankLostException gone ? gone.rank() : -1;
        return "failed %d %s %d %d %s"
                .formatted(
                        number,
                        e.getClass().getSimpleName(),
                        lost,
                        tookNs / 1_000_000,
                        String.valueOf(e.getMessage()).replace('\n', ' '));
    }

    private void tellStatistics() {
        CommunicatorStatistics now = communicator.statistics();
        StringBuilder line = new StringBuilder("statistics");
        line.append(" datagramsSent=").append(now.datagramsSent());
        line.append(" datagramsReceived=").append(now.datagramsReceived());
        line.append(" fragmentsUseful=").append(now.fragmentsUseful());
        line.append(" fragmentsDuplicate=").append(now.fragmentsDuplicate());
        line.append(" fragmentsLost=").append(now.fragmentsLost());
        line.append(" repairsSent=").append(now.repairsSent());
        line.append(" repairsReceived=").append(now.repairsReceived());
        line.append(" repairRequestsSent=").append(now.repairRequestsSent());
        line.append(" repairP99Us=").append(now.repairP99Ns() / 1000);
        new TreeMap<>(now.rejected())
                .forEach((reason, times) ->
                        line.append(" rejected-" + reason.replace(' ', '-') + "=" + times));
        tell(line.toString());
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
