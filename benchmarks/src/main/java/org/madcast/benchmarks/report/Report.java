package org.madcast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code benchmarks/report}: writes the numbers of {@code benchmarks/results} between the marks of
 * README.md and docs, and the charts to docs/images. With {@code --check} it changes nothing, and
 * fails when something is out of date.
 */
public final class Report {

    private static final Pattern MARKED =
            Pattern.compile("(<!-- measured: (.+?) -->\n).*?(<!-- end: \\2 -->\n)", Pattern.DOTALL);

    private final Path home;

    private Report(Path home) {
        this.home = home;
    }

    /** Arguments: the root of the repository, and {@code --check}. */
    public static void main(String[] arguments) throws IOException {
        List<String> given = new ArrayList<>(List.of(arguments));
        boolean check = given.remove("--check");
        if (given.size() != 1 || given.getFirst().startsWith("-")) {
            System.err.println("report: usage: benchmarks/report [--check]");
            System.exit(2);
        }
        try {
            System.exit(new Report(Path.of(given.getFirst())).run(check));
        } catch (IllegalArgumentException e) {
            System.err.println("report: " + e.getMessage());
            System.exit(1);
        }
    }

    private int run(boolean check) throws IOException {
        int outdated = 0;
        for (Map.Entry<Path, String> page : pages().entrySet()) {
            Path file = page.getKey();
            if (Files.exists(file) && Files.readString(file).equals(page.getValue())) {
                continue;
            }
            outdated++;
            System.err.println(
                    "report: " + home.relativize(file) + (check ? " is out of date" : " written"));
            if (!check) {
                Files.writeString(file, page.getValue());
            }
        }
        if (check && outdated > 0) {
            System.err.println("report: run benchmarks/report");
        }
        return check && outdated > 0 ? 1 : 0;
    }

    private Map<Path, String> pages() throws IOException {
        Sections sections = new Sections(Results.read(home.resolve("benchmarks/results")));
        Map<Path, String> pages = new LinkedHashMap<>();
        for (Path file : documents()) {
            pages.put(
                    file,
                    MARKED.matcher(Files.readString(file))
                            .replaceAll(it ->
                                    Matcher.quoteReplacement(
                                            it.group(1)
                                                    + sections.section(it.group(2))
                                                    + it.group(3))));
        }
        sections.charts()
                .forEach((name, svg) -> pages.put(home.resolve("docs/images").resolve(name), svg));
        return pages;
    }

    private List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("docs"))) {
            return Stream.concat(Stream.of(home.resolve("README.md")), files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
