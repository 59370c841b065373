package org.madcast.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of docs/OPERATIONS.md that is made from the code, between two marks. With the system
 * property {@code madcast.write} tests write it instead of comparing it.
 */
public final class GeneratedSection {

    private static final Path DOCUMENT = Project.path("docs/OPERATIONS.md");

    /** What to do when the two differ. */
    public static final String ADVICE =
            "a copy is older than the code; write all of them again, and look at the difference, with"
                    + " ./madcast test -pl packaging -am -Dtest='*ReferenceTest,ManualTest,ChartTest,SignaturesTest'"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dmadcast.write=true";

    private static final boolean WRITE = Boolean.getBoolean("madcast.write");

    private final String begin;
    private final String end;

    /** The part of this name. */
    public GeneratedSection(String name) {
        this.begin = "<!-- generated: " + name + " -->\n";
        this.end = "<!-- end: " + name + " -->\n";
    }

    /** What the document says, after it was written when that was asked for. */
    public String text(String current) throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(begin) + begin.length();
        int to = document.indexOf(end);
        if (from < begin.length() || to < from) {
            throw new IllegalStateException(DOCUMENT + " lacks " + begin + " or " + end);
        }
        if (WRITE) {
            Files.writeString(
                    DOCUMENT, document.substring(0, from) + current + document.substring(to));
            return current;
        }
        return document.substring(from, to);
    }
}
