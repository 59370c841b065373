package org.madcast.agent.process;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Options of the JVM for ranks. Where ranks share processors, the second compiler and the threads
 * of a parallel collector take from the ranks what they promise to give, so these ranks use the
 * first compiler and the serial collector. A start that was recorded halves the time until a rank
 * joins. It is for ranks whose class path begins as the recorded one: the JVM takes the recorded
 * classes also where the class path has others.
 */
public final class RankJvm {

    /** The variable from which every JVM takes options. */
    static final String VARIABLE = "JDK_JAVA_OPTIONS";

    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";
    private static final String SERIAL_COLLECTOR = "-XX:+UseSerialGC";
    private static final String LOG_LINES =
            "-Djava.util.logging.SimpleFormatter.format=madcast: %5$s%6$s%n";
    private static final String RECORD_OPTIONS =
            "(?s).*-(XX:AOT|XX:Shared|XX:\\+?\\w*Archive|Xshare).*";
    private static final int OLDEST = 25;
    private static final String NOTE = "NOTE: Picked up " + VARIABLE + ": ";

    private RankJvm() {}

    /** For ranks of this program, which live for seconds and keep their data outside the heap. */
    public static List<String> ofThisProgram() {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "-Xms16m",
                                "-Xmx256m",
                                SERIAL_COLLECTOR,
                                FIRST_COMPILER,
                                "-XX:-UsePerfData",
                                NATIVE_ACCESS));
        options.addAll(Installation.recorded("agent.aot"));
        return options;
    }

    /**
     * The command with the library on its class path, and options after {@code java}; any other
     * command as it is, and that of a Java which is too old for the library. Options that the user
     * gives come later and so win; where the JVM would refuse two that contradict, only the user's
     * are there.
     *
     * @param crowded whether there are more ranks than processors
     * @param here whether this machine's JDK runs it
     */
    public static List<String> addTo(List<String> command, boolean crowded, boolean here)
            throws IOException {
        String java = command.getFirst();
        if (!ProgramPaths.isJava(java) || (here && isTooOld(java))) {
            return command;
        }
        JavaLine line = new JavaLine(command);
        String library = ProgramPaths.library();
        List<String> words = line.with(library);
        List<String> arguments = words.subList(1, words.size());
        String given =
                Stream.concat(
                                arguments.stream(),
                                Stream.of(VARIABLE, "JAVA_TOOL_OPTIONS")
                                        .map(name -> System.getenv().getOrDefault(name, "")))
                        .collect(Collectors.joining(" "));
        List<String> all = new ArrayList<>(List.of(java, NATIVE_ACCESS));
        if (crowded) {
            all.add(FIRST_COMPILER);
        }
        if (crowded && !given.matches("(?s).*-XX:[+-]Use\\w+GC.*")) {
            all.add(SERIAL_COLLECTOR);
        }
        if (!given.contains("-Djava.util.logging.")) {
            all.add(LOG_LINES);
        }
        if (here
                && ProgramPaths.isOwnJava(java)
                && !line.isSource()
                && new JavaLine(words).findsFirst(library, ProgramPaths.classPath())
                && !given.matches(RECORD_OPTIONS)) {
            all.addAll(Installation.recorded("rank.aot"));
        }
        all.addAll(arguments);
        return all;
    }

    /**
     * Whether the command gives this JVM's {@code java} a source file that can be compiled here
     * once for all ranks. Where options are for the compiler, each rank's JVM compiles.
     */
    public static boolean canCompile(List<String> command) {
        if (!ProgramPaths.isOwnJava(command.getFirst())
                || JavaLine.isForCompiler(System.getenv().getOrDefault(VARIABLE, ""))) {
            return false;
        }
        return new JavaLine(command).isPlainSource()
                && ModuleLayer.boot().findModule("jdk.compiler").isPresent();
    }

    /**
     * Compiles the source file of such a command.
     *
     * @param classes the directory that gets the classes
     * @param errors gets what the compiler says
     * @return the command that runs them; empty if the compiler refused
     */
    public static Optional<List<String>> compile(List<String> command, Path classes, Writer errors)
            throws IOException {
        JavaLine line = new JavaLine(command);
        String own = line.ownClassPath().orElseGet(ProgramPaths::userClassPath);
        String found = ProgramPaths.withLibrary(classes + File.pathSeparator + own);
        return SourceProgram.compile(line.source(), found, classes, errors)
                .map(main -> line.compiled(main, found));
    }

    /** Whether a {@code java} cannot run the library; false for one that does not say it. */
    public static boolean isTooOld(String java) {
        int feature = ProgramPaths.javaFeature(java);
        return feature > 0 && feature < OLDEST;
    }

    /** For the JVMs that a command starts which is not itself one; nothing if the user has some. */
    public static Map<String, String> variables(List<String> command, boolean crowded) {
        if (ProgramPaths.isJava(command.getFirst()) || System.getenv(VARIABLE) != null) {
            return Map.of();
        }
        return Map.of(VARIABLE, NATIVE_ACCESS + (crowded ? " " + FIRST_COMPILER : ""));
    }

    /** Whether it is the line that each JVM prints for the variable that was set for it. */
    public static boolean isNote(String line, Map<String, String> variables) {
        String options = variables.get(VARIABLE);
        return options != null && line.equals(NOTE + options);
    }
}
