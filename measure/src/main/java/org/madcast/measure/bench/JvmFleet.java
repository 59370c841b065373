package org.madcast.measure.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.agent.process.JavaCommand;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.terminal.LibraryLog;

/** Ranks that are JVMs of their own, spoken to over their standard input and output. */
public final class JvmFleet implements Fleet {

    /** What every rank's JVM gets, beside the options of its {@link Compilers}. */
    public static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xms32m",
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:-UsePerfData",
                    "-Xshare:auto",
                    "-Djava.util.logging.SimpleFormatter.format=%5$s%6$s%n",
                    "--enable-native-access=ALL-UNNAMED");

    private static final Duration GRACE = Duration.ofSeconds(2);

    /**
     * What a rank runs.
     *
     * @param options of the JVM, usually {@link #JVM_OPTIONS} and more
     * @param main has a main method that leads to {@link BenchRank#obey}
     */
    public record Program(List<String> options, Class<?> main, List<String> arguments) {}

    private final Children children = new Children();
    private final Map<Integer, String> remarks = new HashMap<>();

    private JvmFleet() {}

    /**
     * Starts one JVM on each host.
     *
     * @param environment what they get beside this process's own
     */
    public static JvmFleet start(
            Cluster cluster,
            RankEnvironment environment,
            Program program,
            BiConsumer<Integer, String> heard)
            throws IOException {
        JvmFleet fleet = new JvmFleet();
        List<String> java = JavaCommand.of(program.options(), program.main(), program.arguments());
        try {
            for (int i = 0; i < cluster.size(); i++) {
                int rank = i;
                Map<String, String> variables = environment.of(rank, cluster.interfaceName(rank));
                fleet.children.add(
                        Child.start(
                                "rank " + rank + " on " + cluster.hostName(rank),
                                cluster.command(rank, java, variables),
                                variables,
                                line -> heard.accept(rank, line),
                                line -> fleet.remark(rank, LibraryLog.words(line))));
            }
            return fleet;
        } catch (IOException e) {
            fleet.end();
            throw e;
        }
    }

    private synchronized void remark(int rank, String line) {
        remarks.putIfAbsent(rank, line);
    }

    private synchronized String remarkOf(int rank) {
        return remarks.getOrDefault(rank, "it said nothing");
    }

    @Override
    public void tell(String line) {
        children.all().forEach(child -> child.send(line));
    }

    @Override
    public void tell(int rank, String line) {
        children.all().get(rank).send(line);
    }

    @Override
    public String name(int rank) {
        return children.all().get(rank).name();
    }

    @Override
    public Optional<String> trouble() {
        List<Child> all = children.all();
        for (int rank = 0; rank < all.size(); rank++) {
            Child child = all.get(rank);
            if (!child.isAlive()) {
                return Optional.of(
                        child.name()
                                + " failed: ended with code "
                                + child.exitValue()
                                + ": "
                                + remarkOf(rank));
            }
        }
        return Optional.empty();
    }

    @Override
    public void end() {
        children.end(GRACE);
    }
}
