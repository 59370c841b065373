package org.madcast.allocator.lease;

import java.util.List;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.audit.AuditLog;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Tells what happens to leases: what counts it, and what records it. Joins the transaction. */
@Component
class LeaseNews {

    private final ApplicationEventPublisher events;
    private final AuditLog audit;

    LeaseNews(ApplicationEventPublisher events, AuditLog audit) {
        this.events = events;
        this.audit = audit;
    }

    void tell(LeaseEvent event) {
        events.publishEvent(event);
    }

    /** Records these in one statement. */
    void record(List<AuditEntry> entries) {
        audit.recordAll(entries);
    }
}
