package org.madcast.agent.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command line of {@code java}, read as the JVM reads it: options, then a main class, an archive,
 * a source file or a module, then the program's own arguments. Immutable.
 */
final class JavaLine {

    private static final String CLASS_PATH_OPTION = "--class-path";
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", CLASS_PATH_OPTION);
    private static final Set<String> MODULE = Set.of("-m", "--module");

    /** Their value is the next word. */
    private static final Set<String> WITH_VALUE =
            Set.of(
                    "-p",
                    "--module-path",
                    "--upgrade-module-path",
                    "--add-modules",
                    "--limit-modules",
                    "--add-exports",
                    "--add-opens",
                    "--add-reads",
                    "--patch-module",
                    "--enable-native-access",
                    "--source");

    /** Modules, previews and versions, and files of options. */
    private static final Pattern OF_COMPILER =
            Pattern.compile("(^|\\s)(@|-p\\s|--(?!class-path|enable-native-access))");

    private static final String OUR_CLASS = "org/madcast/client/Communicator.class";

    private final List<String> words;
    private boolean archive;
    private boolean module;
    private int classPathAt = -1;
    private int mainAt = -1;

    /** Reads a command whose first word is {@code java}, by whatever path. */
    JavaLine(List<String> command) {
        words = List.copyOf(command);
        int at = 1;
        while (at < words.size() && mainAt < 0) {
            String word = words.get(at);
            if (MODULE.contains(word) || word.startsWith("--module=")) {
                module = true;
                mainAt = at;
            } else if (CLASS_PATH.contains(word)) {
                classPathAt = at + 1;
                at += 2;
            } else if (word.startsWith(CLASS_PATH_OPTION + "=")) {
                classPathAt = at++;
            } else if (WITH_VALUE.contains(word)) {
                at += 2;
            } else if (word.startsWith("-") || word.startsWith("@")) {
                archive |= word.equals("-jar");
                at++;
            } else {
                mainAt = at;
            }
        }
    }

    /** Whether the JVM is given a source file, which it compiles. */
    boolean isSource() {
        return !archive && !module && mainAt > 0 && words.get(mainAt).endsWith(".java");
    }

    /** Whether no option but the class path says how the source file is compiled. */
    boolean isPlainSource() {
        return isSource() && !isForCompiler(String.join(" ", words.subList(1, mainAt)));
    }

    /**
     * Whether options, of a command or of a variable, are also for the compiler of a source file.
     */
    static boolean isForCompiler(String options) {
        return OF_COMPILER.matcher(options).find();
    }

    /** Where the source file is. */
    Path source() {
        return Path.of(words.get(mainAt));
    }

    /** The command with a compiled class in the place of its source file, and its class path. */
    List<String> compiled(String mainClass, String classPath) {
        List<String> all = new ArrayList<>(words);
        all.set(mainAt, mainClass);
        all.addAll(mainAt, List.of("-cp", classPath));
        return all;
    }

    /** The class path that the command names. */
    Optional<String> ownClassPath() {
        if (classPathAt < 0 || classPathAt >= words.size()) {
            return Optional.empty();
        }
        return Optional.of(words.get(classPathAt).replaceFirst("^" + CLASS_PATH_OPTION + "=", ""));
    }

    /**
     * Whether the JVM finds this library before all other classes.
     *
     * @param variable the class path of a command that names none
     */
    boolean findsFirst(String library, String variable) {
        if (archive) {
            return false;
        }
        boolean named = classPathAt >= 0 && classPathAt < words.size();
        String path = named ? words.get(classPathAt) : variable;
        String option = CLASS_PATH_OPTION + "=";
        return (path.startsWith(option) ? path.substring(option.length()) : path)
                .concat(File.pathSeparator)
                .startsWith(library + File.pathSeparator);
    }

    /**
     * The command with this library on its class path, where it has a class path of its own that
     * does not bring the library; other commands take it from {@code CLASSPATH}. A JVM that starts
     * an archive knows no further class path, so the archive's main class is named instead.
     */
    List<String> with(String library) throws IOException {
        if (mainAt < 0 || module) {
            return words;
        }
        if (archive) {
            return bringsLibrary(words.get(mainAt)) ? words : withArchive(library);
        }
        if (classPathAt < 0 || classPathAt >= words.size()) {
            return words;
        }
        String word = words.get(classPathAt);
        String option = word.startsWith(CLASS_PATH_OPTION + "=") ? CLASS_PATH_OPTION + "=" : "";
        String own = word.substring(option.length());
        if (bringsLibrary(own)) {
            return words;
        }
        List<String> all = new ArrayList<>(words);
        all.set(classPathAt, option + library + File.pathSeparator + own);
        return all;
    }

    private List<String> withArchive(String library) throws IOException {
        String jar = words.get(mainAt);
        Attributes attributes = attributes(Path.of(jar));
        String main = attributes.getValue(Attributes.Name.MAIN_CLASS);
        if (main == null || attributes.getValue("Launcher-Agent-Class") != null) {
            return words; // the JVM says what is wrong, or does more than start a class
        }
        List<String> all = new ArrayList<>(words.subList(0, mainAt));
        all.remove("-jar");
        addAll(all, attributes.getValue("Add-Exports"), name -> "--add-exports=" + name);
        addAll(all, attributes.getValue("Add-Opens"), name -> "--add-opens=" + name);
        all.addAll(List.of("-cp", library + File.pathSeparator + jar, main.strip()));
        all.addAll(words.subList(mainAt + 1, words.size()));
        return all;
    }

    private static void addAll(
            List<String> all, @Nullable String names, UnaryOperator<String> option) {
        if (names != null && !names.isBlank()) {
            for (String name : names.strip().split("\\s+", -1)) {
                all.add(option.apply(name) + "=ALL-UNNAMED");
            }
        }
    }

    /** Whether a class path has the client library, in which directory or archive ever. */
    static boolean bringsLibrary(String classPath) {
        Set<Path> seen = new HashSet<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (brings(entry, seen)) {
                return true;
            }
        }
        return false;
    }

    private static boolean brings(String entry, Set<Path> seen) {
        try {
            if (entry.equals("*") || entry.endsWith(File.separator + "*")) {
                Path directory = Path.of(entry).toAbsolutePath().resolveSibling("");
                try (DirectoryStream<Path> jars =
                        Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
                    for (Path jar : jars) {
                        if (brings(jar.toString(), seen)) {
                            return true;
                        }
                    }
                }
                return false;
            }
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                return Files.exists(path.resolve(OUR_CLASS));
            }
            return Files.isRegularFile(path) && seen.add(path) && archiveBrings(path, seen);
        } catch (IOException | RuntimeException _) {
            return false; // the JVM passes over what it cannot read
        }
    }

    private static boolean archiveBrings(Path path, Set<Path> seen) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            if (jar.getEntry(OUR_CLASS) != null) {
                return true;
            }
        }
        String further = attributes(path).getValue(Attributes.Name.CLASS_PATH);
        if (further != null) {
            for (String entry : further.strip().split("\\s+", -1)) {
                if (brings(path.resolveSibling(entry).toString(), seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Attributes attributes(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return new Attributes();
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            Manifest manifest = jar.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        }
    }
}
