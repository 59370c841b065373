package org.madcast.allocator.audit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.stereotype.Component;

/**
 * The same as a stream of log lines, of what this replica records: off unless the level of the
 * logger {@code org.madcast.allocator.audit.stream} is {@code info}. Its fields are key-value
 * pairs, which structured formats write as such. From any thread.
 */
@Component
class AuditStream {

    private static final Logger LOG = LoggerFactory.getLogger("org.madcast.allocator.audit.stream");

    boolean isOn() {
        return LOG.isInfoEnabled();
    }

    void tell(AuditEntry entry) {
        Actor by = entry.by();
        LoggingEventBuilder line =
                LOG.atInfo()
                        .addKeyValue("event.action", entry.kind().word())
                        .addKeyValue("user.name", by.name())
                        .addKeyValue("user.roles", by.role())
                        .addKeyValue("madcast.subject", entry.subject());
        if (by.address() != null) {
            line = line.addKeyValue("source.ip", by.address());
        }
        if (by.request() != null) {
            line = line.addKeyValue("http.request.id", by.request());
        }
        if (entry.lease() != null) {
            line = line.addKeyValue("madcast.lease", entry.lease());
        }
        if (!entry.detail().isEmpty()) {
            line = line.addKeyValue("madcast.detail", entry.detail());
        }
        line.log("{} {} by {}", entry.kind().word(), entry.subject(), by.name());
    }
}
