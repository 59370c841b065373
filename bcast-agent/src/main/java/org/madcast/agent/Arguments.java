package org.madcast.agent;

import java.lang.reflect.Field;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** What is wrong with arguments becomes the one line that the user sees, and the usage code. */
public final class Arguments {

    private Arguments() {}

    /** Reads a command's arguments; an {@link IllegalArgumentException} says which is wrong. */
    public static <T> T read(CommandSpec command, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw wrong(command, String.valueOf(e.getMessage()), e);
        }
    }

    /** The failure of a command with wrong arguments. */
    public static ParameterException wrong(CommandSpec command, String message) {
        return wrong(command, message, null);
    }

    private static ParameterException wrong(
            CommandSpec command, String message, @Nullable Exception cause) {
        return new ParameterException(command.commandLine(), message, cause);
    }

    /** Runs the command that was parsed, unless an argument is outside of its {@link Range}. */
    public static int run(CommandLine.ParseResult parsed) {
        List<CommandLine> lines = parsed.asCommandLineList();
        if (lines.stream().noneMatch(CommandLine::isUsageHelpRequested)) {
            lines.forEach(Arguments::checkRanges);
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static void checkRanges(CommandLine line) {
        for (ArgSpec argument : line.getCommandSpec().args()) {
            if (argument.userObject() instanceof Field field
                    && argument instanceof OptionSpec option
                    && argument.getValue() instanceof Number number) {
                Range range = field.getAnnotation(Range.class);
                if (range != null && !holds(range, number.doubleValue())) {
                    throw wrong(
                            line.getCommandSpec(),
                            "%s must be %d to %s%d, not %s"
                                    .formatted(
                                            option.names()[0],
                                            range.from(),
                                            range.below() ? "less than " : "",
                                            range.to(),
                                            number));
                }
            }
        }
    }

    private static boolean holds(Range range, double number) {
        return number >= range.from()
                && (range.below() ? number < range.to() : number <= range.to());
    }
}
