package org.madcast.benchmarks.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.measure.bench.Fleet;

/**
 * Ranks that {@code mpirun} started, one on each host. They are spoken to over a Unix socket: a
 * file is the same in every network namespace, and no message of ours crosses the measured network.
 */
final class MpiFleet implements Fleet {

    private static final Duration GRACE = Duration.ofSeconds(3);

    /**
     * What is started.
     *
     * @param directory where this launch may leave its files
     * @param program the compiled rank program
     */
    record Job(Path mpirun, Path directory, Path program, int largestBytes, List<MpiWay> ways) {}

    private final Children children = new Children();
    private final Map<Integer, SocketChannel> ranks = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> remarks = new ConcurrentLinkedQueue<>();
    private final ServerSocketChannel server;
    private final BiConsumer<Integer, String> heard;

    private MpiFleet(ServerSocketChannel server, BiConsumer<Integer, String> heard) {
        this.server = server;
        this.heard = heard;
    }

    /** Starts one rank on each host. */
    static MpiFleet start(Job job, Cluster cluster, int launch, BiConsumer<Integer, String> heard)
            throws IOException {
        Path socket = job.directory().resolve("crew-" + launch);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        MpiFleet fleet = new MpiFleet(server, heard);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread.ofVirtual().start(fleet::accept);
            fleet.children.add(
                    Child.start(
                            "mpirun",
                            cluster.command(0, command(job, cluster, launch, socket)),
                            Map.of(
                                    "OMPI_ALLOW_RUN_AS_ROOT",
                                    "1",
                                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                    "1",
                                    "TMPDIR",
                                    temporary(job, launch, 0).toString()),
                            fleet.remarks::add,
                            fleet.remarks::add));
            return fleet;
        } catch (IOException e) {
            fleet.end();
            throw e;
        }
    }

    private static List<String> command(Job job, Cluster cluster, int launch, Path socket)
            throws IOException {
        Path agent = job.directory().resolve("agent-" + launch);
        Path hosts = job.directory().resolve("hosts-" + launch);
        Files.write(agent, agent(job, cluster, launch));
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
        List<String> lines = new ArrayList<>();
        for (int rank = 0; rank < cluster.size(); rank++) {
            lines.add(cluster.address(rank) + " slots=1");
        }
        Files.write(hosts, lines);
        List<String> command = new ArrayList<>(List.of(job.mpirun().toString()));
        command.addAll(List.of("-np", Integer.toString(cluster.size())));
        command.addAll(List.of("--hostfile", hosts.toString(), "--map-by", "node"));
        command.addAll(List.of("--bind-to", "none"));
        settings(cluster.interfaceName(0), agent)
                .forEach((name, value) -> command.addAll(List.of("--mca", name, value)));
        command.add(job.program().toString());
        command.add(socket.toString());
        command.add(cluster.interfaceName(0));
        command.add(Integer.toString(job.largestBytes()));
        job.ways().forEach(way -> command.add(way.argument()));
        return command;
    }

    /**
     * Processors are fewer than ranks, so a rank that waits must yield. The dynamic rules let the
     * ranks force an algorithm; without a forced one Open MPI still decides by its fixed rules.
     */
    private static Map<String, String> settings(String interfaceName, Path agent) {
        return Map.of(
                "plm_rsh_agent", agent.toString(),
                "plm_rsh_no_tree_spawn", "1",
                "btl", "tcp,self",
                "btl_tcp_if_include", interfaceName,
                "oob_tcp_if_include", interfaceName,
                "mpi_yield_when_idle", "1",
                "coll_tuned_use_dynamic_rules", "1");
    }

    /** The script that stands for ssh: it runs a command in the host of that address. */
    private static List<String> agent(Job job, Cluster cluster, int launch) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/sh");
        lines.add("host=$1; shift");
        lines.add("case $host in");
        for (int rank = 0; rank < cluster.size(); rank++) {
            String inside = String.join(" ", cluster.command(rank, List.of("sh", "-c", "\"$*\"")));
            Path temporary = temporary(job, launch, rank);
            lines.add(cluster.address(rank) + ") TMPDIR=" + temporary + " exec " + inside + ";;");
        }
        lines.add("esac");
        return lines;
    }

    /**
     * A directory for a host's temporary files. All hosts of a lab have one name, and daemons of
     * one launch that end would delete what those of the next one of that name have just made.
     */
    private static Path temporary(Job job, int launch, int rank) throws IOException {
        return Files.createDirectories(job.directory().resolve(launch + "-" + rank));
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel channel = server.accept();
                Thread.ofVirtual().start(() -> listen(channel));
            }
        } catch (IOException _) {
            // The launch is over.
        }
    }

    /** A rank's first line says which it is. */
    private void listen(SocketChannel channel) {
        try (BufferedReader lines =
                new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            String first = lines.readLine();
            if (first == null || !first.startsWith("rank ")) {
                return;
            }
            int rank = Integer.parseInt(first.substring("rank ".length()));
            ranks.put(rank, channel);
            lines.lines().forEach(line -> heard.accept(rank, line));
        } catch (IOException | UncheckedIOException _) {
            // Its end shows as mpirun's.
        }
    }

    @Override
    public void tell(String line) {
        ranks.values().forEach(rank -> send(rank, line));
    }

    @Override
    public void tell(int rank, String line) {
        send(ranks.get(rank), line);
    }

    private static void send(@Nullable SocketChannel rank, String line) {
        ByteBuffer left = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (rank != null && left.hasRemaining()) {
                rank.write(left);
            }
        } catch (IOException _) {
            // Its end shows as mpirun's.
        }
    }

    @Override
    public String name(int rank) {
        return "MPI rank " + rank;
    }

    @Override
    public Optional<String> trouble() {
        Child mpirun = children.all().getFirst();
        return mpirun.isAlive()
                ? Optional.empty()
                : Optional.of(
                        "mpirun ended with code "
                                + mpirun.exitValue()
                                + ": "
                                + String.join(" ", remarks).strip());
    }

    @Override
    public void end() {
        children.end(GRACE);
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
