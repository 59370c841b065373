package org.madcast.agent.terminal;

import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where this program's loggers lead, those of its libraries and of the JDK too: a line each on
 * standard error, from warnings on. The JVM finds it by its name in {@code META-INF/services}. It
 * takes a fraction of the time that the JDK's own logging takes to start. Any thread.
 */
public final class LibraryLog extends System.LoggerFinder {

    private static final String MARK = "madcast: ";

    private static volatile Level least = Level.WARNING;
    private static volatile Consumer<String> sink = LibraryLog::print;

    /** For the JVM. */
    public LibraryLog() {}

    /** From now on messages for information are shown too. */
    public static void sayMore() {
        least = Level.INFO;
    }

    /** From now on this consumer shows the lines; null for standard error again. */
    public static void through(@Nullable Consumer<String> other) {
        sink = other == null ? LibraryLog::print : other;
    }

    private static void print(String line) {
        System.err.println(MARK + line);
    }

    /** A line that another process of this program wrote this way, without its mark. */
    public static String words(String line) {
        return line.startsWith(MARK) ? line.substring(MARK.length()) : line;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Lines(name);
    }

    private record Lines(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.OFF && level.compareTo(least) >= 0;
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String message,
                @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                say(text(bundle, message) + (thrown == null ? "" : ": " + thrown));
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... parameters) {
            if (isLoggable(level)) {
                String text = text(bundle, format);
                boolean plain = parameters == null || parameters.length == 0;
                say(plain ? text : new MessageFormat(text).format(parameters));
            }
        }

        private static String text(@Nullable ResourceBundle bundle, @Nullable String key) {
            return bundle != null && key != null && bundle.containsKey(key)
                    ? bundle.getString(key)
                    : String.valueOf(key);
        }

        private static void say(String text) {
            sink.accept(text.replace('\n', ' '));
        }
    }
}
