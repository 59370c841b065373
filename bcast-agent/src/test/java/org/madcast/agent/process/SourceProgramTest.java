package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceProgramTest {

    @TempDir private Path directory = Path.of("");

    private final StringWriter errors = new StringWriter();
    private Path classes = Path.of("");

    @BeforeEach
    void makeDirectory() throws IOException {
        classes = Files.createDirectory(directory.resolve("classes"));
    }

    private Optional<String> compile(String file, String text) throws IOException {
        Path source = directory.resolve(file);
        Files.createDirectories(source.resolveSibling(""));
        Files.writeString(source, text);
        return SourceProgram.compile(source, "none", classes, errors);
    }

    private List<String> compiled() throws IOException {
        try (Stream<Path> tree = Files.walk(classes)) {
            return tree.filter(Files::isRegularFile)
                    .map(it -> classes.relativize(it).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theFirstClassIsTheMainClass() throws IOException {
        assertThat(compile("Any.java", "import java.util.*; record B(int a) {} class A {}"))
                .contains("B");
        assertThat(compiled()).containsExactly("A.class", "B.class");
        assertThat(errors).hasToString("");
    }

    @Test
    void aFileOfMethodsIsAClassByTheNameOfTheFile() throws IOException {
        assertThat(compile("Compact.java", "void main() { IO.println(1); }")).contains("Compact");
    }

    /** The root is where the outermost package is; a file may also lie elsewhere. */
    @Test
    void otherSourcesOfTheTreeAreCompiledWhenTheyAreNamed() throws IOException {
        Files.createDirectories(directory.resolve("a/c"));
        Files.writeString(
                directory.resolve("a/c/Other.java"), "package a.c; public class Other {}");
        Files.writeString(directory.resolve("a/c/Unused.java"), "package a.c; nonsense");
        assertThat(compile("a/b/Main.java", "package a.b; class Main { a.c.Other other; }"))
                .contains("a.b.Main");
        assertThat(compiled()).containsExactly("a/b/Main.class", "a/c/Other.class");
        assertThat(compile("elsewhere/Main.java", "package a.b; class Main {}"))
                .contains("a.b.Main");
        assertThat(errors).hasToString("");
    }

    @Test
    void theCompilerSaysWhatIsWrong() throws IOException {
        assertThat(compile("Wrong.java", "class Wrong { int a = \"text\"; }")).isEmpty();
        assertThat(errors.toString()).contains("Wrong.java:1: error: incompatible types");
        assertThat(compile("Broken.java", "class Broken {")).isEmpty();
        assertThat(errors.toString()).containsOnlyOnce("reached end of file");
        assertThat(SourceProgram.compile(Path.of("None.java"), "none", classes, errors)).isEmpty();
        assertThat(errors.toString()).endsWith("None.java: error: there is no such file\n");
        assertThat(compile("Empty.java", "")).isEmpty();
        assertThat(errors.toString()).endsWith("Empty.java: error: no class is declared\n");
    }
}
