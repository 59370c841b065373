package org.madcast.allocator.audit;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.logging.structured.StructuredLogFormatter;

/**
 * Log lines in logfmt, {@code key=value key="a b"}. Chosen by its name, as {@code
 * logging.structured.format.console} or {@code .file}. From any thread.
 */
public final class LogfmtFormatter implements StructuredLogFormatter<ILoggingEvent> {

    private static final Pattern PLAIN = Pattern.compile("[^\\s=\"\\\\\\p{Cntrl}]+");

    /** One without settings. */
    public LogfmtFormatter() {}

    @Override
    public String format(ILoggingEvent event) {
        StringBuilder line = new StringBuilder();
        pair(line, "time", event.getInstant());
        pair(line, "level", event.getLevel());
        pair(line, "logger", event.getLoggerName());
        pair(line, "msg", event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair each : event.getKeyValuePairs()) {
                pair(line, each.key, each.value);
            }
        }
        if (event.getThrowableProxy() != null) {
            pair(line, "error", event.getThrowableProxy().getMessage());
        }
        return line.append('\n').toString();
    }

    private static void pair(StringBuilder line, String key, Object value) {
        String text = String.valueOf(value);
        line.append(line.isEmpty() ? "" : " ").append(key).append('=');
        if (PLAIN.matcher(text).matches()) {
            line.append(text);
            return;
        }
        line.append('"');
        text.codePoints().forEach(it -> line.append(escaped(it)));
        line.append('"');
    }

    private static String escaped(int character) {
        return switch (character) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            default ->
                    Character.isISOControl(character)
                            ? "\\u%04x".formatted(character)
                            : Character.toString(character);
        };
    }
}
