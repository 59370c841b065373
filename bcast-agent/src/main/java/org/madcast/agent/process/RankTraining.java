package org.madcast.agent.process;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/**
 * Ranks in one process that join, broadcast and leave over the loopback interface. The launcher
 * lets the JVM record what it loads meanwhile; it also runs this file as a source, so it uses
 * nothing but the client library.
 */
public final class RankTraining {

    private static final int RANKS = 3;
    private static final int BROADCASTS = 20;
    private static final int[] SIZES = {64, 70_000, 900_000};

    private RankTraining() {}

    /** Runs them, and an MPI program of one rank. */
    public static void main(String[] arguments) throws Exception {
        run();
        mpi(arguments);
    }

    /** By name, since this program is built without the package mpi. */
    private static void mpi(String[] arguments) throws ReflectiveOperationException {
        Class<?> mpi = Class.forName("mpi.MPI");
        Object _ = mpi.getMethod("Init", String[].class).invoke(null, (Object) arguments);
        Object world = mpi.getField("COMM_WORLD").get(null);
        Object _ = world.getClass().getMethod("barrier").invoke(world);
        Object _ = mpi.getMethod("Finalize").invoke(null);
    }

    /** Runs them: once with a service that has no answer, and once without one. */
    public static void run() throws IOException, InterruptedException, ExecutionException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(503, -1);
                    exchange.close();
                });
        server.start();
        try {
            job(Map.of("MADCAST_SERVICE", "http:/" + server.getAddress()));
            job(Map.of());
        } finally {
            server.stop(0);
        }
    }

    private static void job(Map<String, String> service)
            throws IOException, InterruptedException, ExecutionException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Future<?>> ranks = new ArrayList<>();
            for (int i = 0; i < RANKS; i++) {
                Map<String, String> variables = new HashMap<>(service);
                variables.put("MADCAST_JOB_ID", "training");
                variables.put("MADCAST_SIZE", Integer.toString(RANKS));
                variables.put("MADCAST_RANK", Integer.toString(i));
                variables.put("MADCAST_ROOT", "127.0.0.1:" + port);
                variables.put("MADCAST_INTERFACE", "lo");
                ranks.add(threads.submit(() -> rank(variables)));
            }
            for (Future<?> rank : ranks) {
                rank.get();
            }
        }
    }

    private static void rank(Map<String, String> variables) {
        try (Communicator world = Communicator.join(CommunicatorConfig.fromEnvironment(variables));
                Arena arena = Arena.ofShared()) {
            for (int bytes : SIZES) {
                for (int i = 0; i < BROADCASTS; i++) {
                    world.bcast(arena.allocate(bytes), i % RANKS);
                }
            }
            System.out.println("rank " + world.rank() + " over " + world.info().group());
        }
    }
}
