package org.madcast.agent.process;

import com.grack.nanojson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.madcap.ScopeZone;
import org.madcast.nativecalls.NativeLibrary;

/**
 * What lets {@code madcast run -- java Hello.java} find the JDK that runs this command line and the
 * library with what it needs: the user's own {@code PATH} and {@code CLASSPATH} with both added.
 */
public final class ProgramPaths {

    private static final Pattern RELEASE = Pattern.compile("JAVA_VERSION=\"?(?:1\\.)?(\\d+)");
    private static final Path JDK_PROGRAMS = Path.of(System.getProperty("java.home"), "bin");

    private ProgramPaths() {}

    /** Where the programs of the JDK are that runs this command line. */
    static String jdkPrograms() {
        return JDK_PROGRAMS.toString();
    }

    /** The command with the JDK's own program for a bare name like {@code java}. */
    public static List<String> resolve(List<String> command) {
        List<String> resolved = new ArrayList<>(command);
        Path ours = JDK_PROGRAMS.resolve(command.getFirst());
        if (command.getFirst().indexOf(File.separatorChar) < 0 && Files.isExecutable(ours)) {
            resolved.set(0, ours.toString());
        }
        return resolved;
    }

    /** Whether a command's first word is a {@code java}, by a bare name or by any path. */
    public static boolean isJava(String word) {
        return Path.of(word).endsWith("java");
    }

    /**
     * The first number of the version of a {@code java}: of this JVM for a bare name and for the
     * path of its own JDK; 0 if its JDK does not say it.
     */
    public static int javaFeature(String word) {
        if (isOwnJava(word)) {
            return Runtime.version().feature();
        }
        try {
            Path home = Path.of(word).toRealPath().resolve("../..").normalize();
            for (String line : Files.readAllLines(home.resolve("release"))) {
                Matcher matcher = RELEASE.matcher(line);
                if (matcher.lookingAt()) {
                    return Integer.parseInt(matcher.group(1));
                }
            }
        } catch (IOException | UncheckedIOException _) {
            // It says nothing.
        }
        return 0;
    }

    /** Whether it is the {@code java} of this JVM, so that what was recorded fits. */
    static boolean isOwnJava(String word) {
        try {
            Path ours = JDK_PROGRAMS.resolve("java");
            return word.equals("java") || Path.of(word).toRealPath().equals(ours.toRealPath());
        } catch (IOException _) {
            return false;
        }
    }

    public static RankEnvironment addTo(RankEnvironment environment) {
        return environment
                .with("PATH", join(jdkPrograms(), System.getenv("PATH")))
                .with("CLASSPATH", classPath());
    }

    /** That of the commands which name none. */
    static String classPath() {
        return withLibrary(userClassPath());
    }

    /** A class path with the library before it, if it does not bring it. */
    static String withLibrary(String own) {
        return JavaLine.bringsLibrary(own) ? own : join(library(), own);
    }

    /**
     * The class path of the library: the archive with the MPI APIs, where this program was
     * installed or built with it.
     */
    static String library() {
        return Installation.mpiJar()
                .map(Path::toString)
                .orElseGet(() ->
                        String.join(
                                File.pathSeparator,
                                location(Communicator.class),
                                location(ScopeZone.class),
                                location(JsonParser.class),
                                location(NativeLibrary.class)));
    }

    /** Without a class path of its own, Java looks into the working directory; that must remain. */
    static String userClassPath() {
        String given = System.getenv("CLASSPATH");
        return given == null || given.isEmpty() ? "." : given;
    }

    private static String join(String first, @Nullable String rest) {
        return rest == null || rest.isEmpty() ? first : first + File.pathSeparator + rest;
    }

    /**
     * The archive or directory where the class loader finds the class now. The class itself may
     * know another: what the JVM recorded of an earlier start names the places of that time.
     */
    static String location(Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        URL found = ClassLoader.getSystemResource(name);
        if (found == null) {
            throw new IllegalStateException(name + " is nowhere on the class path");
        }
        String text = found.toString();
        String place = text.substring(0, text.length() - name.length());
        return Path.of(URI.create(place.replaceFirst("^jar:(.*)!/$", "$1"))).toString();
    }
}
