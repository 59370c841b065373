package org.madcast.client.file;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;

/** Several ranks of one job in this process, on real sockets of the loopback interface. */
final class LoopbackJob {

    /** What one rank does. */
    interface Program<T> {
        T run(Communicator communicator) throws Exception;
    }

    private LoopbackJob() {}

    /** Runs it on every rank; one that throws fails the test. */
    static <T> List<T> run(int ranks, Program<T> program) throws Exception {
        String job = "files-" + System.nanoTime();
        int port = FreePort.tcp();
        List<Future<T>> futures = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(ranks)) {
            for (int rank = 0; rank < ranks; rank++) {
                CommunicatorConfig config =
                        CommunicatorConfig.builder(job, rank, ranks)
                                .rootAddress(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port))
                                .networkInterface("lo")
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .joinTimeout(Duration.ofSeconds(60))
                                .parameters(BroadcastParameters.defaults())
                                .build();
                Callable<T> body =
                        () -> {
                            try (Communicator communicator = Communicator.join(config)) {
                                return program.run(communicator);
                            }
                        };
                futures.add(pool.submit(body));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(get(future));
            }
            return results;
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(100, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw new AssertionError(failed.getCause());
        }
    }
}
