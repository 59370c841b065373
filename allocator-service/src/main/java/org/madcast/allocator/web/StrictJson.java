package org.madcast.allocator.web;

import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Problem.WrongField;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * What JSON allows and every body of REST is refused for: an object with two fields of one name, of
 * which no client can know which one counts, and a text with half of a surrogate pair, which no
 * encoding has and the database cannot keep.
 */
@Configuration(proxyBeanMethods = false)
public class StrictJson {

    private static final String HALF = "must not have half of a surrogate pair";
    private static final String TWICE = "must not be there twice";

    /** How the parser's messages about names begin. */
    private static final String OF_TWO = "Duplicate Object property";

    private static final String OF_HALF = "Broken surrogate pair in property name";

    private static final char REPLACEMENT = '\ufffd';

    StrictJson() {}

    @Bean
    JsonMapperBuilderCustomizer bodiesHaveOneMeaning() {
        SimpleModule wholeTexts = new SimpleModule("whole-texts");
        wholeTexts.addDeserializer(String.class, new WholeText());
        wholeTexts.addKeyDeserializer(String.class, new WholeKey());
        return mapper ->
                mapper.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).addModule(wholeTexts);
    }

    /** The field that the parser refused for its name, null when it refused something else. */
    public static @Nullable WrongField named(JacksonException refused) {
        JsonParser parser = refused instanceof StreamReadException read ? read.processor() : null;
        if (parser == null) {
            return null;
        }
        String message = String.valueOf(refused.getOriginalMessage());
        TokenStreamContext at = parser.streamReadContext();
        if (message.startsWith(OF_TWO)) {
            return new WrongField(path(at), TWICE);
        }
        return message.startsWith(OF_HALF)
                ? new WrongField(path(at.getParent()), HALF + " in the name of a field")
                : null;
    }

    private static String path(@Nullable TokenStreamContext at) {
        if (at == null || at.inRoot()) {
            return "";
        }
        String parent = path(at.getParent());
        if (at.inArray()) {
            return parent + "[" + at.getCurrentIndex() + "]";
        }
        return parent + (parent.isEmpty() ? "" : ".") + at.currentName();
    }

    /** Whether a text has no half of a pair that stands alone. */
    public static boolean isWhole(String text) {
        return half(text, 0) < 0;
    }

    /** The text with a replacement character for each half of a pair. */
    static String whole(String text) {
        int half = half(text, 0);
        if (half < 0) {
            return text;
        }
        StringBuilder whole = new StringBuilder(text);
        for (; half >= 0; half = half(text, half + 1)) {
            whole.setCharAt(half, REPLACEMENT);
        }
        return whole.toString();
    }

    /** Where the next half of a pair is that stands alone; -1 if there is none. */
    private static int half(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !isPaired(text, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isPaired(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    private static String checked(String text) {
        if (!isWhole(text)) {
            throw Fields.invalid("", HALF);
        }
        return text;
    }

    /** Reads texts that are values. */
    private static final class WholeText extends StringDeserializer {

        @Override
        public @Nullable String deserialize(JsonParser parser, DeserializationContext context) {
            String text = super.deserialize(parser, context);
            return text == null ? null : checked(text);
        }
    }

    /** Reads names of an object's fields that the program does not know before. */
    private static final class WholeKey extends KeyDeserializer {

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return checked(key);
        }
    }
}
