package org.madcast.agent.process;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.madcast.agent.node.FreePort;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.Elements;
import org.madcast.client.MessageStatus;
import org.madcast.client.ReduceOperation;

/**
 * Ranks in one process that join, broadcast and leave over the loopback interface. The launcher
 * lets the JVM record what it loads meanwhile, as a rank of {@code madcast run}, so it uses nothing
 * but the client library.
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
        Class<?> comm = world.getClass();
        Class<?> datatype = Class.forName("mpi.Datatype");
        Field element = mpi.getField("DOUBLE");
        element.setAccessible(true); // it is inherited from what only the package knows
        Object _ = comm.getMethod("barrier").invoke(world);
        Object _ =
                comm.getMethod("bcast", Object.class, int.class, datatype, int.class)
                        .invoke(world, new double[1], 1, element.get(null), 0);
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
        int port = FreePort.onLoopback().getPort();
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
            int next = (world.rank() + 1) % RANKS;
            int before = (world.rank() + RANKS - 1) % RANKS;
            double[] values = new double[2];
            MessageStatus _ =
                    world.sendRecv(
                            Elements.of(new double[2]), next, 0, Elements.of(values), before, 0);
            world.allreduce(
                    Elements.of(new double[2]), Elements.of(values), ReduceOperation.Kind.SUM);
            world.barrier();
            System.out.println("rank " + world.rank() + " over " + world.info().group());
        }
    }
}
