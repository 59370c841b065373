package org.madcast.agent.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page, in the language of man(7): all commands with their options, from the same
 * description as the help. For one thread.
 */
final class ManPage {

    private final CommandSpec root;
    private final StringBuilder page = new StringBuilder();

    /** Of this command and all below it. */
    ManPage(CommandSpec root) {
        this.root = root;
    }

    String text() {
        String header = String.join(" ", root.usageMessage().header());
        line(".TH MADCAST 1 \"\" \"" + escape(root.version()[0]) + "\" \"User Commands\"");
        line(".SH NAME");
        line("madcast \\- " + escape(header));
        line(".SH SYNOPSIS");
        line(".B madcast");
        line("COMMAND [OPTION]... [ARGUMENT]...");
        line(".SH COMMANDS");
        root.subcommands().values().forEach(this::summary);
        Arrays.stream(root.usageMessage().footer()).forEach(this::paragraph);
        root.subcommands().values().forEach(this::command);
        line(".SH EXIT STATUS");
        for (ExitCode code : ExitCode.values()) {
            item(Integer.toString(code.code()), List.of(code.meaning()));
        }
        line(".SH ENVIRONMENT");
        paragraph(
                "The options say which variables they take their defaults from. Ranks read MADCAST_*;"
                        + " see docs/OPERATIONS.md.");
        line(".SH FILES");
        item("~/.config/madcast/agent.token", List.of("the token that senders and agents share"));
        return page.toString();
    }

    private void summary(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        item(spec.name(), Arrays.asList(spec.usageMessage().header()));
    }

    private void command(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        line(".SH " + escape(spec.qualifiedName().toUpperCase(Locale.ROOT)));
        if (spec.subcommands().isEmpty()) {
            details(spec);
        } else {
            Arrays.stream(spec.usageMessage().header()).forEach(this::paragraph);
            for (CommandLine below : spec.subcommands().values()) {
                line(".SS " + escape(below.getCommandSpec().qualifiedName()));
                details(below.getCommandSpec());
            }
        }
    }

    private void details(CommandSpec spec) {
        Help help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
        line(".nf");
        help.synopsis(0).strip().lines().forEach(text -> line(escape(text)));
        line(".fi");
        Arrays.stream(spec.usageMessage().header()).forEach(this::paragraph);
        Arrays.stream(spec.usageMessage().description()).forEach(this::paragraph);
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            item(parameter.paramLabel(), description(parameter));
        }
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                item(names(option), description(option));
            }
        }
        if (spec.usageMessage().footer().length > 0) {
            line(".PP");
            line("Examples:");
            line(".nf");
            Arrays.stream(spec.usageMessage().footer()).forEach(text -> line(escape(text)));
            line(".fi");
        }
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + "=" + option.paramLabel();
    }

    /** With the default's value in the place of picocli's variable for it. */
    private static List<String> description(ArgSpec argument) {
        String standard = argument.defaultValue() == null ? "" : argument.defaultValue();
        return Arrays.stream(argument.description())
                .map(text -> text.replace("${DEFAULT-VALUE}", standard))
                .toList();
    }

    private void paragraph(String text) {
        if (!text.isBlank()) {
            line(".PP");
            line(escape(text.strip()));
        }
    }

    private void item(String term, List<String> texts) {
        line(".TP");
        line("\\fB" + escape(term) + "\\fR");
        texts.forEach(text -> line(escape(text)));
    }

    /** A dot or an apostrophe at the beginning would be a request, a hyphen a dash. */
    private static String escape(String text) {
        String plain = text.replace("%%", "%").replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
