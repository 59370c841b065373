package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.madcast.agent.daemon.AgentCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The agent's options and variables: all in the reference, with their defaults. */
class AgentOptionsReferenceTest {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:(\\w+)}");

    /** What picocli puts where an option has none. */
    private static final String NO_DEFAULT = "__no_default_value__";

    /** Such as " (default ${DEFAULT-VALUE})", which the table has a column for. */
    private static final Pattern PLAIN_DEFAULT =
            Pattern.compile(" \\(default \\$\\{DEFAULT-VALUE}\\)");

    @Test
    void theReferenceIsThatOfTheCode() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| option | variable | default | meaning |\n| --- | --- | --- | --- |\n");
        List<OptionSpec> options =
                new CommandLine(new AgentCommand())
                        .getCommandSpec().options().stream().filter(it -> !it.hidden()).toList();
        assertThat(options).hasSizeGreaterThan(5);
        options.forEach(it -> table.append(row(it)));
        assertThat(new GeneratedSection("agent options").text(table.toString()))
                .as(GeneratedSection.ADVICE)
                .isEqualTo(table.toString());
    }

    private static String row(OptionSpec option) {
        // Of the annotation, since picocli has put the values of variables in.
        Option written = ((AnnotatedElement) option.userObject()).getAnnotation(Option.class);
        String names = String.join("`, `", option.names());
        String parameter = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        String given = written.defaultValue();
        Matcher variable = VARIABLE.matcher(given);
        boolean isVariable = variable.matches();
        boolean isPlain = !isVariable && !given.equals(NO_DEFAULT);
        return "| `%s%s` | %s | %s | %s |\n"
                .formatted(
                        names,
                        parameter,
                        isVariable ? "`" + variable.group(1) + "`" : "",
                        isPlain ? "`" + given + "`" : "",
                        meaning(written));
    }

    private static String meaning(Option option) {
        String text = String.join(" ", option.description());
        return Prose.sentence(PLAIN_DEFAULT.matcher(text).replaceAll(""));
    }
}
