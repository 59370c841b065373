package org.madcast.client.internal;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;

/** Runs a program on several ranks in one process, over real sockets on loopback. */
final class LoopbackRanks {

    private LoopbackRanks() {}

    static byte[] content(int root, int size) {
        byte[] content = new byte[size];
        new Random(31L * size + root).nextBytes(content);
        return content;
    }

    static <T> List<T> onEveryRank(int ranks, Function<Communicator, T> program) throws Exception {
        return onEveryRank(ranks, builder -> builder, program);
    }

    /** With more settings than every rank needs. */
    static <T> List<T> onEveryRank(
            int ranks,
            UnaryOperator<CommunicatorConfig.Builder> settings,
            Function<Communicator, T> program)
            throws Exception {
        String job = "loopback-" + System.nanoTime();
        int port = FreePort.tcp();
        List<Future<T>> futures = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(ranks)) {
            for (int rank = 0; rank < ranks; rank++) {
                CommunicatorConfig.Builder builder =
                        CommunicatorConfig.builder(job, rank, ranks)
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .rootAddress(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port))
                                .networkInterface("lo")
                                .joinTimeout(Duration.ofSeconds(60))
                                .parameters(BroadcastParameters.defaults());
                CommunicatorConfig config = settings.apply(builder).build();
                futures.add(
                        pool.submit(() -> {
                            try (Communicator communicator = Communicator.join(config)) {
                                return program.apply(communicator);
                            }
                        }));
            }
            return results(futures);
        }
    }

    /** What each rank gave; when some failed, or did not end, the failure of each is told. */
    private static <T> List<T> results(List<Future<T>> futures) throws Exception {
        List<T> results = new ArrayList<>();
        AssertionError failures = null;
        for (Future<T> future : futures) {
            try {
                results.add(future.get(50, TimeUnit.SECONDS));
            } catch (ExecutionException | TimeoutException failed) {
                Throwable reason = failed.getCause() == null ? failed : failed.getCause();
                AssertionError failure = new AssertionError(String.valueOf(reason), reason);
                if (failures == null) {
                    failures = failure;
                } else {
                    failures.addSuppressed(failure);
                }
            }
        }
        if (failures != null) {
            throw failures;
        }
        return results;
    }

    /** In a rank's program, which throws nothing. */
    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
