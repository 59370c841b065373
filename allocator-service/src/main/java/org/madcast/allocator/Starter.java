package org.madcast.allocator;

import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Whoever started this service and holds the other end of the pipe on its standard input. With the
 * property {@code madcast.end-with-input} the service ends in good order when that pipe ends: its
 * starter is gone, however that went, also by kill -9. One byte before says that the service shall
 * go on by itself. A thread of its own waits for either.
 */
final class Starter implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(Starter.class);

    private final InputStream input;
    private final Runnable whenGone;

    Starter(InputStream input, Runnable whenGone) {
        this.input = input;
        this.whenGone = whenGone;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (event.getEnvironment()
                .getProperty("madcast.end-with-input", Boolean.class, Boolean.FALSE)) {
            Thread.ofPlatform().daemon().name("starter").start(this::await);
        }
    }

    /** Returns when the starter has said that it is no longer needed, or is gone. */
    void await() {
        if (isGone()) {
            LOG.warn("The process that started this service is gone; it ends");
            whenGone.run();
        }
    }

    private boolean isGone() {
        try {
            return input.read() < 0;
        } catch (IOException broken) {
            return true;
        }
    }
}
