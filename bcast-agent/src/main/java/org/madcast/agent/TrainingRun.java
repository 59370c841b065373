package org.madcast.agent;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.madcast.agent.daemon.SampleFiles;
import org.madcast.agent.process.RankJvm;
import org.madcast.agent.process.RankTraining;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.agent.push.PushCommand;
import picocli.CommandLine;

/**
 * A push from this process to agents in this process, over loopback: what an agent and a sender do
 * from their start on. The launcher and {@code docker/build} let the JVM record what it loads
 * meanwhile, so that the first push of an agent need not load it again. It ends with the push's
 * exit code.
 */
public final class TrainingRun {

    private static final int AGENTS = 2;
    private static final int LARGE_BYTES = 8 << 20;
    private static final int SMALL_FILES = 500;

    private static final String PROGRAM =
            """
            import java.util.List;
            import java.util.stream.IntStream;
            import org.madcast.client.Communicator;
            import org.madcast.client.Elements;

            public class Training {
                record Part(int from, int to) {}

                public static void main(String[] arguments) throws Exception {
                    try (Communicator world = Communicator.fromEnvironment()) {
                        double[] data = new double[100];
                        world.bcast(Elements.of(data), 0);
                        List<Part> parts =
                                IntStream.range(0, world.size()).mapToObj(i -> new Part(i, i + 1)).toList();
                        System.out.printf("rank %d of %d: %s%n", world.rank(), world.size(), parts.get(0));
                    }
                }
            }
            """;

    private final Path directory;
    private final Path token;
    private final Path destination;

    private TrainingRun(Path directory) {
        this.directory = directory;
        this.token = directory.resolve("token");
        this.destination = directory.resolve("destination");
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        Path directory = TemporaryDirectory.make("training");
        int code;
        try {
            code = new TrainingRun(directory).run();
        } finally {
            TemporaryDirectory.delete(directory);
        }
        System.exit(code);
    }

    private int run() throws IOException, InterruptedException, ExecutionException {
        RankTraining.run();
        compile();
        Files.createDirectory(destination);
        Path source = SampleFiles.make(directory.resolve("source"), LARGE_BYTES, SMALL_FILES);
        int code = Main.commandLine().execute("agent", "--make-token", "--token-file", "" + token);
        StringBuilder nodes = new StringBuilder();
        for (int agent = 0; agent < AGENTS; agent++) {
            nodes.append(agent == 0 ? "" : ",").append(startAgent(agent));
        }
        nodes.append(':').append(destination);
        PushCommand.makeReady();
        return code != 0
                ? code
                : Main.commandLine()
                        .execute(
                                "push",
                                "--json",
                                "--token-file",
                                token.toString(),
                                source.toString(),
                                nodes.toString());
    }

    /** Compiles a program, as {@code madcast run} does. */
    private void compile() throws IOException {
        Path source = Files.writeString(directory.resolve("Training.java"), PROGRAM);
        List<String> command = List.of("java", source.toString());
        if (RankJvm.canCompile(command)) {
            Path classes = Files.createDirectory(directory.resolve("classes"));
            if (RankJvm.compile(command, classes, Main.commandLine().getErr()).isEmpty()) {
                throw new IllegalStateException("the compiler refused " + source);
            }
        }
    }

    /** Starts one and returns where it listens. */
    private String startAgent(int number) {
        Address address = new Address();
        CommandLine line = Main.commandLine().setErr(new PrintWriter(address, true));
        Thread _ =
                Thread.ofPlatform()
                        .daemon()
                        .name("agent-" + number)
                        .start(() ->
                                line.execute(
                                        "agent",
                                        "--listen",
                                        "127.0.0.1:0",
                                        "--http",
                                        "127.0.0.1:0",
                                        "--token-file",
                                        token.toString(),
                                        "--no-rehearsal",
                                        "--node",
                                        "agent-" + number,
                                        "--allow",
                                        destination.toString()));
        return address.await();
    }

    /** Takes an agent's log and finds in it where the agent listens. */
    private static final class Address extends Writer {

        private static final Pattern STARTED = Pattern.compile("\"address\":\"([^\"]*)\"");

        private final StringBuilder log = new StringBuilder();
        private final CompletableFuture<String> found = new CompletableFuture<>();

        @Override
        public synchronized void write(char[] text, int offset, int length) {
            log.append(text, offset, length);
            Matcher started = STARTED.matcher(log);
            if (!found.isDone() && started.find()) {
                found.complete(started.group(1));
            }
        }

        private String await() {
            return found.join();
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
