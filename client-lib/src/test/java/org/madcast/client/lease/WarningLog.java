package org.madcast.client.lease;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects what a class logs. */
public final class WarningLog extends Handler implements AutoCloseable {

    /** What was logged and not taken yet. */
    public final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

    private final Logger logger;

    /** Collects until it is closed. */
    public WarningLog(Class<?> source) {
        logger = Logger.getLogger(source.getName());
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord record) {
        messages.add(new SimpleFormatter().formatMessage(record));
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
