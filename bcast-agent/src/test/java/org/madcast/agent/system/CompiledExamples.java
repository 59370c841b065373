package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The programs of a directory of examples, compiled with the library as it was built.
 *
 * @param classes where they are
 */
record CompiledExamples(Path classes) {

    private static final Path HOME = Path.of(System.getProperty("madcast.home"));

    private static final String LIBRARY =
            Stream.of("madcast-client", "madcast-madcap", "madcast-native", "nanojson")
                    .map(name -> HOME.resolve("bcast-agent/target/lib/" + name + ".jar").toString())
                    .collect(Collectors.joining(":"));

    /** Compiles all sources of a directory; no warning is let pass. */
    static CompiledExamples compile(Path sources, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror"));
        arguments.addAll(List.of("-cp", LIBRARY, "-d", classes.toString()));
        try (Stream<Path> found = Files.list(sources)) {
            found.map(Path::toString).forEach(arguments::add);
        }
        String[] words = arguments.toArray(String[]::new);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words)).isZero();
        return new CompiledExamples(classes);
    }

    /** Starts one on so many ranks; what it says goes to files of the directory. */
    Program start(Path directory, int ranks, String example, List<String> arguments)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> words =
                new ArrayList<>(List.of("run", "-n", Integer.toString(ranks), "--", java, "-cp"));
        words.add(classes + ":" + LIBRARY);
        words.add(example);
        words.addAll(arguments);
        return Program.start(directory, words.toArray(String[]::new));
    }
}
