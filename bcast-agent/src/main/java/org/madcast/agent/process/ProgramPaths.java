package org.madcast.agent.process;

import com.grack.nanojson.JsonParser;
import java.io.File;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.madcap.ScopeZone;
import org.madcast.nativecalls.NativeLibrary;

/**
 * What lets {@code madcast run -- java Hello.java} find the JDK that runs this command line and the
 * client library with what it needs: the user's own {@code PATH} and {@code CLASSPATH} with both
 * added.
 */
final class ProgramPaths {

    private static final Path JDK_PROGRAMS = Path.of(System.getProperty("java.home"), "bin");

    private ProgramPaths() {}

    /** The command with the JDK's own program for a bare name like {@code java}. */
    static List<String> resolve(List<String> command) {
        List<String> resolved = new ArrayList<>(command);
        Path ours = JDK_PROGRAMS.resolve(command.getFirst());
        if (command.getFirst().indexOf(File.separatorChar) < 0 && Files.isExecutable(ours)) {
            resolved.set(0, ours.toString());
        }
        return resolved;
    }

    /** Whether a command's first word is the JDK's own {@code java}, by a bare name or its path. */
    static boolean isJava(String word) {
        return word.equals("java") || word.equals(JDK_PROGRAMS.resolve("java").toString());
    }

    static RankEnvironment addTo(RankEnvironment environment) {
        String library =
                String.join(
                        File.pathSeparator,
                        location(Communicator.class),
                        location(ScopeZone.class),
                        location(JsonParser.class),
                        location(NativeLibrary.class));
        return environment
                .with("PATH", join(JDK_PROGRAMS.toString(), System.getenv("PATH")))
                .with("CLASSPATH", join(library, userClassPath()));
    }

    /** Without a class path of its own, Java looks into the working directory; that must remain. */
    private static String userClassPath() {
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
