package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.madcast.agent.node.NodeToken;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** A lab at 100 Mbit/s whose host 0 probes and whose other hosts run agents. */
final class ProbeLab implements AutoCloseable {

    private final Lab lab;
    private final Path directory;
    private final Path token;
    private final List<Program> programs = new ArrayList<>();

    private ProbeLab(Lab lab, Path directory) {
        this.lab = lab;
        this.directory = directory;
        this.token = directory.resolve("token");
    }

    /** Without agents yet. */
    static ProbeLab up(Path directory, int hosts) {
        Lab lab = Lab.up(LabSpec.builder().hosts(hosts).rate("100mbit").build());
        ProbeLab made = new ProbeLab(lab, directory);
        NodeToken.make(made.token);
        return made;
    }

    Lab lab() {
        return lab;
    }

    private Path runDirectory() throws IOException {
        return Files.createDirectory(directory.resolve("run-" + programs.size()));
    }

    Program startAgent(int node, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("agent", "--token-file", token.toString()));
        arguments.addAll(List.of("--node", "h" + node));
        arguments.addAll(List.of(more));
        Program agent = Program.startOn(lab.host(node), runDirectory(), arguments);
        programs.add(agent);
        return agent;
    }

    /** Starts a command against the agents of the nodes from 1 to this one. */
    Program start(String command, int lastNode, String... more) throws IOException {
        List<String> nodes = new ArrayList<>();
        for (int node = 1; node <= lastNode; node++) {
            nodes.add(address(node));
        }
        List<String> arguments = new ArrayList<>(List.of(command, "--json"));
        arguments.addAll(List.of("--token-file", token.toString()));
        arguments.addAll(List.of(more));
        arguments.add(String.join(",", nodes));
        Program program = Program.startOn(lab.host(0), runDirectory(), arguments);
        programs.add(program);
        return program;
    }

    String address(int node) {
        return lab.host(node).address().getHostAddress();
    }

    /** Drops what a switch port sends to its host and is like this. */
    void dropTowards(int node, String match) throws IOException, InterruptedException {
        String table = "netdev trouble" + node;
        run(
                List.of("ip", "netns", "exec", lab.switchNamespace(), "nft", "-f", "-"),
                """
                add table %1$s
                add chain %1$s drops { type filter hook egress device "p%2$d" priority 0; policy accept; }
                add rule %1$s drops %3$s drop
                """
                        .formatted(table, node, match));
    }

    /** Runs a program and expects it to succeed. */
    static void run(List<String> command, String input) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command + ": " + said).isZero();
    }

    @Override
    public void close() {
        programs.forEach(Program::close);
        lab.close();
    }
}
