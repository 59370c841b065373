package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The records of decisions are numbered from 1, and what is cited exists: decisions by number,
 * documents by path, sections by anchor.
 */
class DecisionsTest {

    private static final Pattern NUMBERS =
            Pattern.compile(
                    "\\b[Dd]ecisions?(?:(?:[\\s*,]|and|or)+\\[?\\d{1,4}\\b(?:]\\([^)]*\\))?)+");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w/-])\\d+(?![\\w-])");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern DOCUMENT =
            Pattern.compile("\\b(?:docs|benchmarks)/[\\w./-]+\\.md\\b");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");
    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".mvn", "node_modules");

    private static final List<Path> DECISIONS = list("docs/decisions");

    @Test
    void areNumberedOneByOne() {
        assertThat(DECISIONS)
                .extracting(it -> it.getFileName().toString().replaceAll("-.*", ""))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, DECISIONS.size())
                                .mapToObj("%04d"::formatted)
                                .toList());
        assertThat(DECISIONS)
                .allSatisfy(it -> {
                    int number = Integer.parseInt(it.getFileName().toString().substring(0, 4));
                    assertThat(Project.read(it)).startsWith("# " + number + ". ");
                });
    }

    @Test
    void decisionsThatAreCitedExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : files(".java", ".md", ".sql", ".yaml", ".sh")) {
            wrong.addAll(citedInVain(file.toString(), Project.read(file)));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void documentsThatAreCitedExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : files(".java", ".sql", ".yaml", ".lua")) {
            DOCUMENT.matcher(Project.read(file))
                    .results()
                    .map(MatchResult::group)
                    .filter(it -> !Files.exists(Project.path(it)))
                    .forEach(it -> wrong.add(file + " cites " + it));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<Path> documents = files(".md");
        assertThat(documents).hasSizeGreaterThan(30);
        List<String> wrong = new ArrayList<>();
        for (Path document : documents) {
            wrong.addAll(brokenLinks(document, Project.read(document)));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatIsWrongIsFound() {
        assertThat(
                        citedInVain(
                                "X.java",
                                "/* decision %d, decisions 1 and\n * %d */".formatted(999, 998)))
                .containsExactly("X.java cites decision " + 999, "X.java cites decision " + 998);
        Path readme = Project.path("README.md");
        assertThat(
                        brokenLinks(
                                readme,
                                "[a](docs/"
                                        + "NONE.md) `[b](c)` [d](#none) [e](docs/README.md#none)"))
                .containsExactly(
                        "README.md links docs/" + "NONE.md",
                        "README.md links #none",
                        "README.md links docs/README.md#none");
        assertThat(anchors("# Who is let in?\n## A `b`, c (d)\n## A `b`, c (d)\n"))
                .containsExactlyInAnyOrder("who-is-let-in", "a-b-c-d", "a-b-c-d-1");
    }

    private static List<String> citedInVain(String file, String text) {
        return NUMBERS.matcher(text)
                .results()
                .flatMap(it -> NUMBER.matcher(it.group().replaceAll("\\([^)]*\\)", "")).results())
                .map(it -> Integer.parseInt(it.group()))
                .filter(number -> number < 1 || number > DECISIONS.size())
                .map(number -> file + " cites decision " + number)
                .toList();
    }

    private static List<String> brokenLinks(Path document, String text) {
        List<String> broken = new ArrayList<>();
        Matcher link = LINK.matcher(CODE.matcher(text).replaceAll(""));
        while (link.find()) {
            String target = link.group(1);
            if (!target.matches("[a-z]+:.*") && !leadsSomewhere(document, target)) {
                broken.add(Project.path("").relativize(document) + " links " + target);
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path document, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
        return Files.exists(file)
                && (parts.length == 1 || anchors(Project.read(file)).contains(parts[1]));
    }

    /** The anchors of a document's titles, as GitHub makes them. */
    private static Set<String> anchors(String markdown) {
        List<String> titles =
                markdown.lines()
                        .filter(line -> line.matches("#{1,6} .*"))
                        .map(line ->
                                line.replaceFirst("#+ ", "")
                                        .toLowerCase(Locale.ROOT)
                                        .replaceAll("[^\\w\\- ]", "")
                                        .strip()
                                        .replace(' ', '-'))
                        .toList();
        return IntStream.range(0, titles.size())
                .mapToObj(i -> {
                    String title = titles.get(i);
                    long before = titles.subList(0, i).stream().filter(title::equals).count();
                    return before == 0 ? title : title + "-" + before;
                })
                .collect(Collectors.toSet());
    }

    private static List<Path> list(String directory) {
        try (Stream<Path> files = Files.list(Project.path(directory))) {
            return files.sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The files of the repository with one of these ends, but for what is built. */
    private static List<Path> files(String... ends) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                Project.path(""),
                new SimpleFileVisitor<Path>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        return NOT_OURS.contains(String.valueOf(directory.getFileName()))
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (Stream.of(ends).anyMatch(file.toString()::endsWith)) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return found;
    }
}
