package org.madcast.madcap;

/** The characters and the comparison of RFC 1766 language tags. */
final class LanguageTag {

    private LanguageTag() {}

    static void check(String tag) {
        for (int i = 0; i < tag.length(); i++) {
            char c = tag.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && c != '-' && !(c >= '0' && c <= '9')) {
                throw new IllegalArgumentException(
                        "Character " + (int) c + " at " + i + " of a language tag");
            }
        }
    }

    /** Equal but for the case of ASCII letters; both were checked, so there are no others. */
    static boolean same(String one, String other) {
        return one.equalsIgnoreCase(other);
    }
}
