package mpi;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that further processes run.
 *
 * @param command its name or path
 * @param arguments what it gets
 * @param processes how many processes run it
 * @param directory where they start; null for where this process did
 * @param number its number among those that are started together
 */
record Program(
        String command,
        List<String> arguments,
        int processes,
        @Nullable String directory,
        int number) {

    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";
    private static final List<String> CLASS_PATH = List.of("-cp", "-classpath", "--class-path");

    static Program of(
            String command, String @Nullable [] argv, int processes, Info info, int number) {
        if (command.isBlank()) {
            throw new MPIException(ErrorClass.SPAWN, "the command to spawn is empty");
        }
        if (processes < 0) {
            throw new MPIException(
                    ErrorClass.ARG, "maxprocs " + processes + " of '" + command + "' is negative");
        }
        List<String> arguments = argv == null ? List.of() : List.of(argv);
        Info hints = info.copy();
        String directory = hints.get("wdir");
        checkHost(hints.get("host"));
        return new Program(command, arguments, processes, directory, number);
    }

    /** All processes start on this host: a list of hosts must have it. */
    private static void checkHost(@Nullable String hosts) {
        if (hosts != null && Stream.of(hosts.split(",")).noneMatch(Program::isThisHost)) {
            throw new MPIException(
                    ErrorClass.SPAWN,
                    "the info key 'host' is '%s', but spawn starts processes on its root's host, %s"
                            .formatted(hosts, Environment.processorName()));
        }
    }

    /** Whether this host has the name or address; a number of slots may follow. */
    private static boolean isThisHost(String host) {
        String name = host.strip().replaceFirst("^([^:]*):\\d+$", "$1");
        if (name.isEmpty()) {
            return false;
        }
        if (name.equalsIgnoreCase(Environment.processorName())) {
            return true;
        }
        try {
            for (InetAddress each : InetAddress.getAllByName(name)) {
                if (each.isLoopbackAddress() || NetworkInterface.getByInetAddress(each) != null) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** The programs that are spawned together. */
    static List<Program> all(
            String[] commands,
            String @Nullable [] @Nullable [] argv,
            int[] processes,
            Info @Nullable [] info) {
        if (processes.length < commands.length) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "%d commands have %d numbers of processes"
                            .formatted(commands.length, processes.length));
        }
        List<Program> all = new ArrayList<>();
        for (int i = 0; i < commands.length; i++) {
            all.add(
                    of(
                            commands[i],
                            argv == null ? null : argv[i],
                            processes[i],
                            info == null ? MPI.INFO_NULL : info[i],
                            i));
        }
        return all;
    }

    private boolean isJava() {
        return Path.of(command).endsWith("java");
    }

    /**
     * Starts one process of it, which shares output and errors with this one and has no input.
     *
     * @param variables by which it finds its job
     * @param crowded whether there are more processes than processors
     */
    Process start(Map<String, String> variables, boolean crowded) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(words(crowded))
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        if (directory != null) {
            builder.directory(new File(directory));
        }
        Map<String, String> environment = builder.environment();
        environment.keySet().removeAll(OWN);
        environment.put("CLASSPATH", classPath());
        environment.putAll(variables);
        return builder.start();
    }

    /** What says of this process, and is not true of those that it starts. */
    private static final List<String> OWN =
            List.of(
                    "MADCAST_COMMUNICATOR",
                    "MADCAST_GROUP",
                    "MADCAST_ROOT",
                    "MADCAST_PROFILE",
                    "MADCAST_REPORT");

    private static String classPath() {
        return System.getProperty("java.class.path", "");
    }

    /**
     * The command line. A Java program finds the classes of this process behind its own; the bare
     * word {@code java} is that of this process's JDK. Options come before the user's, which win.
     */
    private List<String> words(boolean crowded) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(command);
        words.addAll(arguments);
        if (isJava()) {
            if (command.equals("java")) {
                words.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
            }
            addClasses(words);
            words.addAll(1, options(crowded));
        }
        return words;
    }

    /**
     * What {@code madcast run} gives its ranks: one compiler where they are many, and log lines.
     */
    private static List<String> options(boolean crowded) {
        List<String> options = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        if (crowded) {
            options.add("-XX:TieredStopAtLevel=1");
        }
        String format = System.getProperty(LOG_FORMAT);
        if (format != null) {
            options.add("-D" + LOG_FORMAT + "=" + format);
        }
        return options;
    }

    private static void addClasses(List<String> words) throws IOException {
        for (int at = 1; at < words.size() && words.get(at).startsWith("-"); at++) {
            String word = words.get(at);
            String joined = "--class-path=";
            if (word.startsWith(joined)) {
                words.set(at, word + File.pathSeparator + classPath());
                return;
            }
            if (at + 1 < words.size() && CLASS_PATH.contains(word)) {
                words.set(at + 1, words.get(at + 1) + File.pathSeparator + classPath());
                return;
            }
            if (at + 1 < words.size() && word.equals("-jar")) {
                nameMainClass(words, at);
                return;
            }
        }
    }

    /** A JVM that starts an archive knows no further class path. */
    private static void nameMainClass(List<String> words, int at) throws IOException {
        String jar = words.get(at + 1);
        if (!Files.isReadable(Path.of(jar))) {
            return; // the JVM says what is wrong
        }
        try (JarFile archive = new JarFile(jar)) {
            Manifest manifest = archive.getManifest();
            String main =
                    manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
            if (main != null) {
                words.set(at, "-cp");
                words.set(at + 1, jar + File.pathSeparator + classPath());
                words.add(at + 2, main.strip());
            }
        }
    }
}
