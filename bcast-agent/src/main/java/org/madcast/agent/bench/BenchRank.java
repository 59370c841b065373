package org.madcast.agent.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.bench.Trial.Cell;
import org.madcast.agent.process.Parent;
import org.madcast.client.Algorithm;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MadcastException;

/**
 * One rank of a measurement, a process of its own. It joins one communicator for each algorithm,
 * then does what its parent says, line by line: {@code warm ALGORITHM BYTES COUNT}, answered by
 * {@code warm}; {@code prepare ALGORITHM BYTES NUMBER}, answered by {@code ready SENT-BYTES
 * REPAIRS}; {@code go START-NS DEADLINE-NS}, answered by {@code exit END-NS ok|corrupt|missing};
 * {@code quit}, answered by {@code repairs ALGORITHM P99-NS} lines.
 *
 * <p>The root starts at the instant that it is given, on the monotonic clock which all processes of
 * a machine share; the receivers are in the call already. Bytes are compared after the end is
 * taken.
 */
public final class BenchRank implements AutoCloseable {

    private static final int ROOT = 0;
    private static final long SPIN_NS = 60_000;

    /** After its end a rank keeps still so long, lest it takes the processor from those behind. */
    private static final long SETTLE_NS = 20_000_000;

    private final int rank;
    private final MessageBuffers buffers;
    private final LinkCounter link;
    private final Map<String, Communicator> communicators = new LinkedHashMap<>();
    private final Arena arena = Arena.ofShared();
    private final Floor floor;
    private Trial current = new Trial(new Cell(Cell.FLOOR, 0), true, 0);
    private MemorySegment message = MemorySegment.NULL;

    private BenchRank(List<String> algorithms, int largestBytes) throws IOException {
        Map<String, String> environment = new HashMap<>(System.getenv());
        String interfaceName = environment.getOrDefault("MADCAST_INTERFACE", "");
        rank = Integer.parseInt(environment.getOrDefault("MADCAST_RANK", "0"));
        buffers = new MessageBuffers(arena, largestBytes);
        link = new LinkCounter(interfaceName);
        int datagramBytes = 0;
        for (String algorithm : algorithms) {
            Communicator communicator = join(environment, algorithm, communicators.size());
            communicators.put(algorithm, communicator);
            datagramBytes = communicator.info().local().datagramBytes();
        }
        floor = new Floor(interfaceName, datagramBytes);
    }

    /** The ranks meet at rank 0; every communicator has a port of its own there. */
    private static Communicator join(Map<String, String> environment, String name, int index) {
        Map<String, String> own = new HashMap<>(environment);
        String root = environment.getOrDefault("MADCAST_ROOT", "");
        int colon = root.lastIndexOf(':');
        int port = Integer.parseInt(root.substring(colon + 1)) + index;
        own.put("MADCAST_ROOT", root.substring(0, colon + 1) + port);
        own.put("MADCAST_COMMUNICATOR", name);
        return Communicator.join(CommunicatorConfig.fromEnvironment(own));
    }

    /** Takes part; the arguments are the largest message in bytes and the algorithms' labels. */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        int largestBytes = Integer.parseInt(words.getFirst());
        Parent parent = new Parent();
        try (BenchRank rank = new BenchRank(words.subList(1, words.size()), largestBytes)) {
            Parent.tell("joined");
            rank.obey(parent);
        } catch (MadcastException | IllegalArgumentException | IOException e) {
            Parent.tell("failed " + String.valueOf(e.getMessage()).replace('\n', ' '));
            System.exit(ExitCode.RANK.code());
        }
    }

    private void obey(Parent parent) throws IOException {
        while (true) {
            @Nullable String line = parent.nextLine();
            if (line == null) {
                Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
                return;
            }
            String[] words = line.split(" ");
            switch (words[0]) {
                case "prepare" -> prepare(words);
                case "warm" -> warm(words[1], Integer.parseInt(words[2]), words[3]);
                case "go" -> go(Long.parseLong(words[1]), Long.parseLong(words[2]));
                default -> {
                    communicators.forEach(BenchRank::tellRepairs);
                    return;
                }
            }
        }
    }

    private static void tellRepairs(String algorithm, Communicator communicator) {
        Parent.tell("repairs " + algorithm + " " + communicator.statistics().repairP99Ns());
    }

    private void warm(String label, int sizeBytes, String count) {
        Communicator communicator = communicator(label);
        for (int i = Integer.parseInt(count); i > 0; i--) {
            communicator.bcast(buffers.emptied(i, sizeBytes), ROOT, Algorithm.of(label));
        }
        Parent.tell("warm");
    }

    private void prepare(String[] words) throws IOException {
        Cell cell = new Cell(words[1], Integer.parseInt(words[2]));
        current = new Trial(cell, false, Integer.parseInt(words[3]));
        if (cell.isFloor()) {
            if (rank != ROOT) {
                floor.prepareToReceive();
            }
        } else if (rank == ROOT) {
            message = buffers.filled(current.number(), cell.sizeBytes());
        } else {
            message = buffers.emptied(current.number(), cell.sizeBytes());
        }
        Parent.tell("ready " + link.sentBytes() + " " + repairs());
    }

    private long repairs() {
        return communicators.values().stream()
                .mapToLong(communicator -> communicator.statistics().repairsReceived())
                .sum();
    }

    private void go(long startNs, long deadlineNs) throws IOException {
        if (rank == ROOT) {
            awaitInstant(startNs);
        }
        Cell cell = current.cell();
        boolean complete = true;
        if (!cell.isFloor()) {
            Communicator communicator = communicator(cell.algorithm());
            communicator.bcast(message, ROOT, Algorithm.of(cell.algorithm()));
        } else if (rank == ROOT) {
            floor.send(current.number(), cell.sizeBytes());
        } else {
            complete = floor.receive(current.number(), cell.sizeBytes(), deadlineNs);
        }
        long endNs = System.nanoTime();
        LockSupport.parkNanos(SETTLE_NS);
        boolean right = cell.isFloor() || buffers.isRight(message, current.number());
        Parent.tell("exit " + endNs + " " + (!complete ? "missing" : right ? "ok" : "corrupt"));
    }

    private Communicator communicator(String algorithm) {
        Communicator communicator = communicators.get(algorithm);
        if (communicator == null) {
            throw new IllegalArgumentException("not joined for " + algorithm);
        }
        return communicator;
    }

    private static void awaitInstant(long instantNs) {
        long leftNs;
        while ((leftNs = instantNs - System.nanoTime()) > 0) {
            if (leftNs > SPIN_NS) {
                LockSupport.parkNanos(leftNs - SPIN_NS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        communicators.values().forEach(Communicator::close);
        floor.close();
        arena.close();
    }
}
