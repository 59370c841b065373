package org.madcast.agent.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.madcast.agent.node.NodeToken;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/**
 * A lab whose host 0 pushes and whose other hosts run agents. Each agent sees a directory of its
 * own at the mount point to which all pushes go, as if it had a disk of its own.
 */
final class PushLab implements AutoCloseable {

    private final Lab lab;
    private final Path directory;
    private final Path token;
    private final Path mountPoint;
    private final Map<Integer, Program> agents = new HashMap<>();
    private final List<Program> pushes = new ArrayList<>();
    private final Set<Integer> limited = new HashSet<>();
    private int runs;

    private PushLab(Lab lab, Path directory) {
        this.lab = lab;
        this.directory = directory;
        this.token = directory.resolve("token");
        this.mountPoint = directory.resolve("destination");
    }

    static PushLab up(Path directory, int hosts, double lossPercent) throws IOException {
        return up(
                directory,
                LabSpec.builder().hosts(hosts).rate("100mbit").lossPercent(lossPercent).build());
    }

    /** As fast as the machine is. */
    static PushLab unshaped(Path directory, int hosts) throws IOException {
        return up(directory, LabSpec.builder().hosts(hosts).build());
    }

    /** Shaped; the test starts what it wants. */
    static PushLab withoutAgents(Path directory, int hosts) throws IOException {
        return prepared(directory, LabSpec.builder().hosts(hosts).rate("100mbit").build());
    }

    private static PushLab up(Path directory, LabSpec spec) throws IOException {
        PushLab made = prepared(directory, spec);
        try {
            for (int node = 1; node <= made.nodes(); node++) {
                made.startAgent(node);
            }
            made.agents.values().forEach(agent -> agent.awaitSaid("MA-001"));
            return made;
        } catch (IOException | RuntimeException | AssertionError failed) {
            made.close();
            throw failed;
        }
    }

    private static PushLab prepared(Path directory, LabSpec spec) throws IOException {
        PushLab made = new PushLab(Lab.up(spec), directory);
        try {
            NodeToken.make(made.token);
            Files.createDirectory(made.mountPoint);
            return made;
        } catch (IOException | RuntimeException failed) {
            made.close();
            throw failed;
        }
    }

    Lab lab() {
        return lab;
    }

    int nodes() {
        return lab.hosts().size() - 1;
    }

    /** The file that holds the token. */
    Path token() {
        return token;
    }

    /** Where pushes to this node go. */
    Path disk(int node) {
        return directory.resolve("disk-" + node);
    }

    Program startAgent(int node) throws IOException {
        return startAgent(node, "--no-rehearsal");
    }

    /** Starts one with a further option; those of a test do not rehearse, which takes time. */
    Program startAgent(int node, String option) throws IOException {
        Files.createDirectories(disk(node));
        Program agent =
                Program.startWithDisk(
                        lab.host(node),
                        runDirectory(),
                        disk(node),
                        mountPoint,
                        List.of(
                                "agent",
                                option,
                                "--token-file",
                                token.toString(),
                                "--node",
                                "h" + node,
                                "--allow",
                                mountPoint.toString()));
        agents.put(node, agent);
        return agent;
    }

    /** Gives a node's agent, which is started anew, a disk of this size. */
    void limitDisk(int node, long bytes) throws IOException, InterruptedException {
        agent(node).kill();
        if (limited.add(node)) {
            run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "none", disk(node).toString());
        } else {
            run("mount", "-o", "remount,size=" + bytes, disk(node).toString());
        }
        startAgent(node).awaitSaid("MA-001");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }

    Program agent(int node) {
        return Objects.requireNonNull(agents.get(node), "started before");
    }

    private Path runDirectory() throws IOException {
        return Files.createDirectory(directory.resolve("run-" + ++runs));
    }

    /** Starts a push to all nodes. */
    Program push(String... arguments) throws IOException {
        return push(List.of(), arguments);
    }

    /** The same with further variables, such as {@code NAME=value}. */
    Program push(List<String> environment, String... arguments) throws IOException {
        List<String> nodes = new ArrayList<>();
        for (int node = 1; node <= nodes(); node++) {
            nodes.add(lab.host(node).address().getHostAddress());
        }
        List<String> all = new ArrayList<>(List.of("push", "--json", "--token-file"));
        all.add(token.toString());
        all.addAll(List.of(arguments));
        all.add(String.join(",", nodes) + ":" + mountPoint);
        Program push = Program.startOn(lab.host(0), runDirectory(), environment, all);
        pushes.add(push);
        return push;
    }

    @Override
    public void close() {
        pushes.forEach(Program::close);
        agents.values().forEach(Program::close);
        for (int node : limited) {
            try {
                run("umount", "--lazy", disk(node).toString());
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        lab.close();
    }
}
