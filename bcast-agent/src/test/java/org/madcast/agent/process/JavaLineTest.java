package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the library gets onto the class path of a Java command. */
class JavaLineTest {

    private static final String OUR_CLASS = "org/madcast/client/Communicator.class";

    @TempDir private Path directory = Path.of("");

    private static String with(String command) throws IOException {
        return String.join(" ", new JavaLine(List.of(command.split(" "))).with("mpi.jar"));
    }

    @ParameterizedTest
    @CsvSource({
        "java -cp app.jar Main -cp x, java -cp mpi.jar:app.jar Main -cp x",
        "java -Xmx1g -classpath a:b Main, java -Xmx1g -classpath mpi.jar:a:b Main",
        "java --class-path a --add-modules m Main, java --class-path mpi.jar:a --add-modules m Main",
        "java --class-path=a Main.java 1, java --class-path=mpi.jar:a Main.java 1",
        "../jdk/bin/java -cp a Main, ../jdk/bin/java -cp mpi.jar:a Main"
    })
    void aClassPathGetsTheLibrary(String command, String expected) throws IOException {
        assertThat(with(command)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java Main",
                "java Main.java -cp x",
                "java -version",
                "java -cp",
                "java",
                "java -p mods -m app/app.Main",
                "java -cp a --module app/app.Main",
                "java -jar missing.jar"
            })
    void otherLinesStayAsTheyAre(String command) throws IOException {
        assertThat(with(command)).isEqualTo(command);
    }

    @Test
    void aProgramThatBringsTheLibraryKeepsItsOwn() throws IOException {
        Path jar = jar("fat.jar", new Manifest(), OUR_CLASS);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Manifest pointing = manifest();
        pointing.getMainAttributes().put(Attributes.Name.CLASS_PATH, "none.jar fat.jar");
        Path thin = jar("thin.jar", pointing);
        for (String own : List.of("x:" + jar, directory + "/*", "" + thin)) {
            assertThat(with("java -cp " + own + " Main")).isEqualTo("java -cp " + own + " Main");
        }
        assertThat(with("java -cp " + classes + " Main")).contains("mpi.jar");
        Files.createDirectories(classes.resolve(OUR_CLASS).getParent());
        Files.createFile(classes.resolve(OUR_CLASS));
        assertThat(with("java -cp " + classes + " Main")).doesNotContain("mpi.jar");
    }

    @Test
    void anArchiveIsStartedByItsMainClass() throws IOException {
        Manifest manifest = manifest();
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "app.Main");
        manifest.getMainAttributes().putValue("Add-Opens", "java.base/java.lang java.base/java.io");
        Path jar = jar("app.jar", manifest);
        assertThat(with("java -jar -Xmx1g " + jar + " -jar 1"))
                .isEqualTo(
                        "java -Xmx1g --add-opens=java.base/java.lang=ALL-UNNAMED"
                                + " --add-opens=java.base/java.io=ALL-UNNAMED -cp mpi.jar:"
                                + jar
                                + " app.Main -jar 1");
        Path fat = jar("fat.jar", manifest, OUR_CLASS);
        assertThat(with("java -jar " + fat)).isEqualTo("java -jar " + fat);
        Path withoutMain = jar("none.jar", manifest());
        assertThat(with("java -jar " + withoutMain)).isEqualTo("java -jar " + withoutMain);
    }

    @ParameterizedTest
    @CsvSource({
        "java Main.java, true, true",
        "java -cp a.java Main, false, false",
        "java -cp a Main.java, true, true",
        "java --class-path=a -Xmx1g -ea Main.java -p --source, true, true",
        "java -cp --source Main.java, true, false",
        "java --source 25 Main.java, true, false",
        "java --enable-preview Main.java, true, false",
        "java -p modules Main.java, true, false",
        "java @options Main.java, true, false",
        "java -jar x.java, false, false"
    })
    void sourceFilesAreKnown(String command, boolean source, boolean plain) {
        JavaLine line = new JavaLine(List.of(command.split(" ")));
        assertThat(line.isSource()).isEqualTo(source);
        assertThat(line.isPlainSource()).isEqualTo(plain);
    }

    private static Manifest manifest() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        return manifest;
    }

    private Path jar(String name, Manifest manifest, String... entries) throws IOException {
        Path path = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(path), manifest)) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
            }
        }
        return path;
    }
}
