package org.madcast.allocator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says in the log where the service answers. */
@Component
class ReadyAnnouncement {

    private static final Logger LOG = LoggerFactory.getLogger(ReadyAnnouncement.class);

    @EventListener
    void on(ApplicationReadyEvent event) {
        Environment environment = event.getApplicationContext().getEnvironment();
        LOG.info(
                "Ready: http://{}:{}/",
                environment.getProperty("server.address", "localhost"),
                environment.getProperty("local.server.port", "8730"));
    }
}
