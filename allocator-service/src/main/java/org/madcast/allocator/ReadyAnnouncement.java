package org.madcast.allocator;

import org.madcast.allocator.access.FirstToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Makes what the first start makes, and says in the log where the service answers. */
@Component
class ReadyAnnouncement {

    private static final Logger LOG = LoggerFactory.getLogger(ReadyAnnouncement.class);

    private final FirstToken firstToken;
    private final ServerProperties server;
    private final Environment environment;

    ReadyAnnouncement(FirstToken firstToken, ServerProperties server, Environment environment) {
        this.firstToken = firstToken;
        this.server = server;
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void onReady() {
        firstToken.makeIfNone();
        LOG.info("Ready: {}", address());
    }

    /** Where it answers. */
    String address() {
        return "%s://%s:%s/"
                .formatted(
                        Ssl.isEnabled(server.getSsl()) ? "https" : "http",
                        environment.getProperty("server.address", "localhost"),
                        environment.getProperty("local.server.port", "8730"));
    }
}
