package org.madcast.packaging;

/** Descriptions from the code as cells of a table. */
public final class Prose {

    private Prose() {}

    /** Javadoc's markup as Markdown's, on one line, with a capital and a full stop. */
    public static String sentence(String javadoc) {
        String text =
                javadoc.replaceAll("\\{@code\\s+([^}]*)}", "`$1`")
                        .replaceAll("\\{@link\\s+#?([^}]*)}", "`$1`")
                        .replaceAll("\\s+", " ")
                        .replace("|", "\\|")
                        .strip();
        if (text.isEmpty()) {
            return text;
        }
        String capital = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return capital.endsWith(".") ? capital : capital + ".";
    }
}
