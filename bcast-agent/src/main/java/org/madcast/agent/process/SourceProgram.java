package org.madcast.agent.process;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A program given as a source file, as in {@code java Hello.java}, compiled once for all ranks of
 * this machine, where each rank's JVM would compile it again. As JEP 458 has it, the first class of
 * the file is the main class, other sources below the same root are compiled when they are named,
 * and annotations are not processed.
 */
final class SourceProgram {

    private SourceProgram() {}

    /**
     * Compiles one.
     *
     * @param classPath where its libraries are
     * @param classes the directory that gets its classes
     * @param errors gets what the compiler says
     * @return the name of its main class; empty if it cannot be compiled
     */
    static Optional<String> compile(Path source, String classPath, Path classes, Writer errors)
            throws IOException {
        if (!Files.isReadable(source)) {
            errors.write(source + ": error: there is no such file\n");
            return Optional.empty();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            CompilationUnitTree unit = parse(compiler, files, source);
            ExpressionTree named = unit.getPackageName();
            String place = named == null ? "" : named.toString();
            List<String> options =
                    List.of(
                            "-proc:none",
                            "-Xdiags:verbose",
                            "-Xlint:deprecation,unchecked",
                            "-implicit:class",
                            "-Xprefer:source",
                            "-cp",
                            classPath,
                            "-sourcepath",
                            root(source, place).toString(),
                            "-d",
                            classes.toString());
            boolean compiled =
                    compiler.getTask(
                                    errors,
                                    files,
                                    null,
                                    options,
                                    null,
                                    files.getJavaFileObjects(source))
                            .call();
            Optional<String> main = mainClass(unit, place);
            if (compiled && main.isEmpty()) {
                errors.write(source + ": error: no class is declared\n");
            }
            return compiled ? main : Optional.empty();
        }
    }

    /** What is wrong is said when it is compiled. */
    private static CompilationUnitTree parse(
            JavaCompiler compiler, StandardJavaFileManager files, Path source) throws IOException {
        JavacTask task =
                (JavacTask)
                        compiler.getTask(
                                Writer.nullWriter(),
                                files,
                                null,
                                List.of("-proc:none"),
                                null,
                                files.getJavaFileObjects(source));
        return task.parse().iterator().next();
    }

    /** The directory that holds the outermost package. */
    private static Path root(Path source, String place) {
        Path directory = source.toAbsolutePath().normalize().resolveSibling("");
        Path packages = Path.of(place.replace('.', '/'));
        if (place.isEmpty() || !directory.endsWith(packages)) {
            return directory;
        }
        Path root = directory;
        for (int i = 0; i < packages.getNameCount(); i++) {
            root = root.resolve("..");
        }
        return root.normalize();
    }

    private static Optional<String> mainClass(CompilationUnitTree unit, String place) {
        for (Tree tree : unit.getTypeDecls()) {
            if (tree instanceof ClassTree type) {
                String name = type.getSimpleName().toString();
                return Optional.of(place.isEmpty() ? name : place + "." + name);
            }
        }
        return Optional.empty();
    }
}
