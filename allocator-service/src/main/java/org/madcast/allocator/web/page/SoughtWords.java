package org.madcast.allocator.web.page;

/** What people type to find a name, as a pattern for the database's {@code ilike}. Pure. */
public final class SoughtWords {

    /** An index of trigrams finds parts of a name from this length on. */
    private static final int SHORTEST_PART = 3;

    private SoughtWords() {}

    /**
     * The names that have these words in them. Fewer than three letters or digits in a row are
     * found where a name begins only, since no index finds them elsewhere.
     */
    public static String pattern(String words) {
        String escaped = words.replaceAll("([\\\\%_])", "\\\\$1");
        return (hasPart(words) ? "%" : "") + escaped + "%";
    }

    private static boolean hasPart(String words) {
        int run = 0;
        for (int i = 0; i < words.length() && run < SHORTEST_PART; i++) {
            run = Character.isLetterOrDigit(words.charAt(i)) ? run + 1 : 0;
        }
        return run >= SHORTEST_PART;
    }
}
