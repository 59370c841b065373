package org.madcast.agent.terminal;

import java.util.ArrayList;
import java.util.List;

/** Words in lines of a width. */
public final class Wrapped {

    private Wrapped() {}

    /** A text in lines, broken at spaces; a word that is longer has a line of its own. */
    public static List<String> lines(String text, int width) {
        return lines(List.of(text.split(" ", -1)), width);
    }

    /** Words in lines, with a space between two. */
    public static List<String> lines(List<String> words, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            if (!line.isEmpty() && line.length() + word.length() + 1 > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
