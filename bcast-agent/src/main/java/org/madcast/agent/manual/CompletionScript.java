package org.madcast.agent.manual;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Picocli's script for shells, mended: it lets no command complete names of files but those whose
 * arguments it knows to be files, which it does not of lists, or of a command line that is an
 * argument; lets those without options complete them always; and writes choices as Java does.
 */
final class CompletionScript {

    private static final String FUNCTION = "function _picocli_madcast_";
    private static final Pattern CHOICES =
            Pattern.compile("(?<=_option_args=\\()[A-Z_\" ]+(?=\\))");
    private static final Pattern ARGUMENTS =
            Pattern.compile("(?m)^ +local positionals=\"\"\n +local IFS=.*\n +COMPREPLY=.*\n");
    private static final Pattern OPTIONS = Pattern.compile("(?m)^  local arg_opts=.*\n");

    private static final String NO_FILES = "\n  type compopt &>/dev/null && compopt +o default\n";

    /** What is offered where nothing is found. */
    private static final String FILES = "    type compopt &>/dev/null && compopt -o default\n";

    /** Bash's own names of commands, then of files. */
    private static final String COMMAND_LINE =
            """

              local i
              for (( i = 2; i < COMP_CWORD; i++ )); do
                if [[ "${COMP_WORDS[i]}" == -- ]]; then
                  if (( i + 1 == COMP_CWORD )); then
                    COMPREPLY=( $(compgen -c -- "${curr_word}") )
                  fi
                  return
                fi
              done
            """;

    /** What replaces what picocli does with arguments. */
    private static final Map<String, String> OF_ARGUMENTS = Map.of("push", FILES);

    /** What comes before anything else. */
    private static final Map<String, String> FIRST = Map.of("run", COMMAND_LINE);

    private CompletionScript() {}

    /** For this program. */
    static String of(CommandLine program) {
        String script = AutoComplete.bash("madcast", program);
        return Stream.of(script.split("(?=" + FUNCTION + ")"))
                .map(CompletionScript::mended)
                .collect(Collectors.joining());
    }

    private static String mended(String part) {
        if (!part.startsWith(FUNCTION)) {
            return part;
        }
        String name = part.substring(FUNCTION.length(), part.indexOf('('));
        String choices =
                CHOICES.matcher(part).replaceAll(found -> found.group().toLowerCase(Locale.ROOT));
        String arguments = OF_ARGUMENTS.get(name);
        String known =
                arguments == null ? choices : ARGUMENTS.matcher(choices).replaceFirst(arguments);
        String first = FIRST.getOrDefault(name, "");
        String begin = known.contains(NO_FILES) ? first : first + NO_FILES;
        return OPTIONS.matcher(known)
                .replaceFirst(options -> Matcher.quoteReplacement(options.group() + begin));
    }
}
