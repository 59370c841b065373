package org.madcast.allocator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/** The statements that are sent to the database while something is done. */
final class SentStatements {

    private static final String BEFORE = "Executing prepared SQL statement [";

    private SentStatements() {}

    /** Those of this thread. */
    static List<String> of(Runnable work) {
        Thread sender = Thread.currentThread();
        return of(work, _ -> sender.equals(Thread.currentThread()));
    }

    /** Those of any thread with this text. */
    static List<String> with(String text, Runnable work) {
        return of(work, it -> it.contains(text));
    }

    private static List<String> of(Runnable work, Predicate<String> counts) {
        Logger jdbc =
                (Logger) LoggerFactory.getLogger("org.springframework.jdbc.core.JdbcTemplate");
        List<String> sent = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> seen =
                new AppenderBase<>() {
                    @Override
                    protected void append(ILoggingEvent event) {
                        String text = event.getFormattedMessage();
                        if (text.startsWith(BEFORE) && counts.test(text)) {
                            sent.add(text.substring(BEFORE.length(), text.length() - 1));
                        }
                    }
                };
        seen.start();
        jdbc.setLevel(Level.DEBUG);
        jdbc.setAdditive(false);
        jdbc.addAppender(seen);
        try {
            work.run();
        } finally {
            jdbc.detachAppender(seen);
            jdbc.setAdditive(true);
            jdbc.setLevel(null);
        }
        return List.copyOf(sent);
    }
}
