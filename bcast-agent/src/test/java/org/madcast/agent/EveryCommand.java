package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What holds for each command that is on the class path. */
abstract class EveryCommand {

    /** By the command's words: each help is made once, since it takes a while. */
    private static final Map<String, Outcome> HELP = new ConcurrentHashMap<>();

    /** The words of every command, the deeper ones too. */
    private static List<String> commands(CommandLine line, String path) {
        List<String> found = new ArrayList<>();
        line.getSubcommands()
                .forEach((name, sub) -> {
                    String words = (path + " " + name).strip();
                    found.add(words);
                    found.addAll(commands(sub, words));
                });
        return found;
    }

    private static Stream<String> commands() {
        return commands(Main.commandLine(), "").stream();
    }

    static Outcome run(String words, String... more) {
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.addAll(List.of(more));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    private static Outcome help(String command) {
        return HELP.computeIfAbsent(command, words -> run(words, "--help"));
    }

    static void assertOneLine(Outcome outcome) {
        assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
        assertThat(outcome.err()).startsWith("madcast: ");
        assertThat(outcome.out()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> everyCommandExplainsItself() {
        return commands()
                .map(command ->
                        DynamicTest.dynamicTest(
                                command,
                                () -> {
                                    Outcome help = help(command);
                                    assertThat(help.code()).isZero();
                                    assertThat(help.err()).isEmpty();
                                    assertThat(help.out())
                                            .contains("Usage: madcast " + command)
                                            .contains("Example")
                                            .contains("Exit codes:");
                                }));
    }

    @ParameterizedTest
    @EnumSource(ExitCode.class)
    void everyExitCodeIsInTheHelpOfACommandThatEndsWithIt(ExitCode code) {
        String listed = "(?m)^ +" + code.code() + " +" + code.meaning();
        assertThat(commands().map(command -> help(command).out()))
                .anySatisfy(help -> assertThat(help).containsPattern(listed));
    }

    @TestFactory
    Stream<DynamicTest> unknownOptionsAreRefusedInOneLine() {
        return commands()
                .map(command ->
                        DynamicTest.dynamicTest(
                                command,
                                () -> {
                                    Outcome refused = run(command, "--bogus");
                                    assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
                                    assertOneLine(refused);
                                    assertThat(refused.err())
                                            .contains("see 'madcast " + command + " --help'");
                                }));
    }

    /** Addresses and paths are copied from it, and examples are lines. */
    @TestFactory
    Stream<DynamicTest> theHelpBreaksNothingThatOneCopies() {
        return commands()
                .map(command ->
                        DynamicTest.dynamicTest(
                                command,
                                () -> {
                                    String help = help(command).out();
                                    CommandLine line = Main.commandLine();
                                    for (String word : List.of(command.split(" "))) {
                                        line =
                                                Objects.requireNonNull(
                                                        line.getSubcommands().get(word));
                                    }
                                    assertThat(help).contains(copied(line.getCommandSpec()));
                                }));
    }

    private static List<String> copied(CommandSpec spec) {
        Stream<String> words =
                spec.args().stream()
                        .flatMap(argument -> Stream.of(argument.description()))
                        .flatMap(text -> Stream.of(text.split(" ")))
                        .filter(word -> word.contains("~/") || word.contains("://"));
        return Stream.concat(words, Stream.of(spec.usageMessage().footer()))
                .map(String::strip)
                .toList();
    }
}
