package org.madcast.benchmarks.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;

/** Settings of the network of a lab's hosts. Each host has its own; the machine keeps its. */
final class HostSettings {

    private HostSettings() {}

    /**
     * Makes them on every host.
     *
     * @param settings each {@code NAME=VALUE}, below {@code net.ipv4}; empty ones are left out
     */
    static void apply(Cluster cluster, List<String> settings) throws IOException {
        for (String setting : settings) {
            if (setting.isEmpty()) {
                continue;
            }
            if (!setting.matches("[a-z0-9_]+=[a-z0-9 ]+")) {
                throw new CommandFailure(
                        ExitCode.USAGE, "'" + setting + "' is not like tcp_sack=1");
            }
            String[] parts = setting.split("=", 2);
            String script = "echo " + parts[1] + " > /proc/sys/net/ipv4/" + parts[0];
            for (int rank = 0; rank < cluster.size(); rank++) {
                run(cluster.command(rank, List.of("sh", "-c", script)), setting);
            }
        }
    }

    private static void run(List<String> command, String setting) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new CommandFailure(
                        ExitCode.LAB, "the hosts do not take " + setting + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
