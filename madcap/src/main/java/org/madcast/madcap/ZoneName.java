package org.madcast.madcap;

import java.nio.charset.StandardCharsets;

/**
 * A name of a scope zone in one language (RFC 2730, section 3.10).
 *
 * @param preferred whether to use this name when there is none in the wanted language
 * @param language an RFC 1766 tag: ASCII letters, digits and hyphens, 1 to 255
 * @param name 1 to 255 bytes in UTF-8
 */
public record ZoneName(boolean preferred, String language, String name) {

    public ZoneName {
        LanguageTag.check(language);
        Unsigned.within("length of a language tag", language.length(), 1, Unsigned.U8_MAX);
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException("A zone name that UTF-8 cannot express");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        Unsigned.within("bytes of a zone name", bytes, 1, Unsigned.U8_MAX);
    }

    /** How many bytes this takes in an option: flags, two lengths, the tag and the name. */
    int encodedBytes() {
        return 3 + language.length() + name.getBytes(StandardCharsets.UTF_8).length;
    }
}
