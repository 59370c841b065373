package org.madcast.agent;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said about arguments that cannot be, in one line and in words for people. */
final class WrongArguments {

    private static final Pattern NO_CONSTANT =
            Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\) but was ('.*')");

    private WrongArguments() {}

    /** Reads numbers and times so that what is wrong with them is said well. */
    static void convert(CommandLine line) {
        line.registerConverter(int.class, WrongArguments::number);
        line.registerConverter(Integer.class, WrongArguments::number);
        line.registerConverter(double.class, WrongArguments::amount);
        line.registerConverter(URI.class, WrongArguments::service);
        line.registerConverter(Instant.class, WrongArguments::instant);
        line.registerConverter(Duration.class, WrongArguments::duration);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
    }

    private static double amount(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    /** Of the allocation service, as which all URIs are meant; empty where a variable is so. */
    private static URI service(String text) {
        try {
            URI service = new URI(text.strip());
            boolean web = "http".equals(service.getScheme()) || "https".equals(service.getScheme());
            if (text.isBlank() || (web && service.getHost() != null)) {
                return service;
            }
        } catch (URISyntaxException _) {
            // Said below.
        }
        throw new TypeConversionException(
                "'" + text + "' is not a service's address; write http://host:8730");
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time; write 2026-12-24T18:00:00Z");
        }
    }

    private static Duration duration(String text) {
        try {
            return Units.duration(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** The message for the user. */
    static String message(ParameterException wrong) {
        String message =
                wrong instanceof UnmatchedArgumentException unmatched
                                && !unmatched.isUnknownOption()
                        ? unmatched(unmatched)
                        : String.valueOf(wrong.getMessage());
        return NO_CONSTANT.matcher(message.replace('\n', ' ')).replaceFirst(WrongArguments::none)
                + suggestion(wrong)
                + "; see '"
                + wrong.getCommandLine().getCommandSpec().qualifiedName()
                + " --help'";
    }

    private static String unmatched(UnmatchedArgumentException unmatched) {
        String first = unmatched.getUnmatched().getFirst();
        return unmatched.getCommandLine().getSubcommands().isEmpty()
                ? "'" + first + "' is one argument too many"
                : "there is no command '" + first + "'";
    }

    private static String none(MatchResult found) {
        return found.group(2) + " is none of " + found.group(1).toLowerCase(Locale.ROOT);
    }

    /** The names that are the fewest letters away, if few. */
    private static String suggestion(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String typed = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        CommandSpec spec = wrong.getCommandLine().getCommandSpec();
        Stream<String> names =
                unmatched.isUnknownOption()
                        ? spec.options().stream().flatMap(option -> Stream.of(option.names()))
                        : Stream.concat(
                                spec.subcommands().keySet().stream(),
                                spec.parent() == null ? Stream.of("build", "test") : Stream.of());
        SortedMap<Integer, List<String>> near =
                names.collect(
                        Collectors.groupingBy(
                                name -> distance(typed, name), TreeMap::new, Collectors.toList()));
        return near.isEmpty() || near.firstKey() > Math.max(1, typed.length() / 3)
                ? ""
                : " (did you mean " + String.join(" or ", near.firstEntry().getValue()) + "?)";
    }

    /** How many letters must be put in, left out, replaced or swapped with the next one. */
    private static int distance(String typed, String name) {
        int[][] least = new int[typed.length() + 1][name.length() + 1];
        for (int i = 0; i <= typed.length(); i++) {
            for (int j = 0; j <= name.length(); j++) {
                if (i == 0 || j == 0) {
                    least[i][j] = i + j;
                    continue;
                }
                int replaced = typed.charAt(i - 1) == name.charAt(j - 1) ? 0 : 1;
                least[i][j] =
                        Math.min(
                                least[i - 1][j - 1] + replaced,
                                1 + Math.min(least[i - 1][j], least[i][j - 1]));
                boolean swapped =
                        i > 1
                                && j > 1
                                && typed.charAt(i - 1) == name.charAt(j - 2)
                                && typed.charAt(i - 2) == name.charAt(j - 1);
                if (swapped) {
                    least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
                }
            }
        }
        return least[typed.length()][name.length()];
    }
}
