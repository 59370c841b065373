package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.madcast.packaging.GeneratedSection;
import org.madcast.packaging.Project;
import org.madcast.packaging.Prose;

/**
 * The parameters of a broadcast and the variables of a rank: all in the reference. A parameter's
 * meaning is the Javadoc of its accessor.
 */
class BroadcastParametersReferenceTest {

    private static final Path SOURCES = Project.path("client-lib/src/main/java/org/madcast/client");
    private static final Pattern ACCESSOR =
            Pattern.compile(
                    "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public [\\w<>]+ (\\w+)\\(\\)", Pattern.DOTALL);
    private static final Pattern VARIABLE = Pattern.compile("\"(MADCAST_[A-Z_]+)\"");

    @Test
    void theReferenceIsThatOfTheCode() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| parameter | variable | default | allowed | meaning |\n");
        table.append("| --- | --- | --- | --- | --- |\n");
        for (BroadcastParametersSetting it : BroadcastParametersSetting.ALL) {
            table.append(
                    "| `%s` | `%s` | %s | %s | %s |\n"
                            .formatted(
                                    it.property(),
                                    it.variable(),
                                    it.print(it.standard()),
                                    it.kind().allowed(it.min(), it.max()),
                                    meaning(it)));
        }
        assertThat(new GeneratedSection("broadcast parameters").text(table.toString()))
                .as(GeneratedSection.ADVICE)
                .isEqualTo(table.toString());
    }

    @Test
    void everyVariableOfARankIsExplained() throws IOException {
        TreeSet<String> variables = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            for (Path source : sources.filter(it -> it.toString().endsWith(".java")).toList()) {
                Matcher matcher = VARIABLE.matcher(Files.readString(source));
                while (matcher.find()) {
                    variables.add("`" + matcher.group(1) + "`");
                }
            }
        }
        assertThat(variables).contains("`MADCAST_SERVICE`", "`MADCAST_RANK`");
        assertThat(Project.read(Project.path("docs/OPERATIONS.md"))).contains(variables);
    }

    private static String meaning(BroadcastParametersSetting setting) {
        String name = camelCase(setting.label());
        String withoutUnit = camelCase(setting.label().replaceAll("\\.\\w+$", ""));
        return accessor(name)
                .or(() -> accessor(withoutUnit))
                .orElseThrow(() -> new AssertionError("no accessor with Javadoc for " + name));
    }

    private static Optional<String> accessor(String prefix) {
        Matcher matcher =
                ACCESSOR.matcher(Project.read(SOURCES.resolve("BroadcastParameters.java")));
        while (matcher.find()) {
            if (matcher.group(2).startsWith(prefix)) {
                String text = matcher.group(1).replaceAll("(?m)^\\s*\\*\\s?", " ");
                String oneLine = text.replaceAll("\\s+", " ");
                return Optional.of(Prose.sentence(oneLine.replaceAll(" Default [^.]*\\.", "")));
            }
        }
        return Optional.empty();
    }

    private static String camelCase(String label) {
        StringBuilder name = new StringBuilder();
        for (String word : label.split("\\.", -1)) {
            char first = word.charAt(0);
            name.append(name.isEmpty() ? first : Character.toUpperCase(first));
            name.append(word.substring(1));
        }
        return name.toString();
    }
}
