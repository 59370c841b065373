package org.madcast.allocator.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Refusals that are to be recorded: what is refused again and again is one entry a minute, so that
 * a client cannot fill the database by requests that are refused. From any thread.
 */
@Component
class Refusals {

    /** How often the same is written. */
    private static final Duration AGAIN = Duration.ofMinutes(1);

    /** Different ones at a time; more are counted as one. */
    private static final int MOST = 500;

    private static final int LONGEST_SUBJECT = 200;

    private final Map<Refusal, Count> counts = new LinkedHashMap<>();

    /** What makes two refusals the same. */
    private record Refusal(
            AuditKind kind, String name, String role, String address, String subject, String why) {}

    /** How many came since the last that was written. */
    private static final class Count {
        private Actor latest;
        private long since;
        private long writtenNs;
        private boolean written;

        Count(Actor latest) {
            this.latest = latest;
        }

        boolean isDue(long nowNs) {
            return since > 0 && (!written || nowNs - writtenNs >= AGAIN.toNanos());
        }

        boolean isOver(long nowNs) {
            return written && since == 0 && nowNs - writtenNs >= AGAIN.toNanos();
        }
    }

    void add(AuditKind kind, Actor by, String subject, String reason) {
        String address = String.valueOf(by.address());
        String what = subject.substring(0, Math.min(LONGEST_SUBJECT, subject.length()));
        Refusal refusal = new Refusal(kind, by.name(), by.role(), address, what, reason);
        synchronized (counts) {
            Refusal counted =
                    counts.containsKey(refusal) || counts.size() < MOST
                            ? refusal
                            : new Refusal(kind, "many", "none", "", "many", reason);
            Count count = counts.computeIfAbsent(counted, _ -> new Count(by));
            count.latest = by;
            count.since++;
        }
    }

    /** What is to be written now. */
    List<AuditEntry> due() {
        long nowNs = System.nanoTime();
        List<AuditEntry> due = new ArrayList<>();
        synchronized (counts) {
            Iterator<Map.Entry<Refusal, Count>> all = counts.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<Refusal, Count> each = all.next();
                Count count = each.getValue();
                if (count.isOver(nowNs)) {
                    all.remove();
                } else if (count.isDue(nowNs)) {
                    due.add(entry(each.getKey(), count));
                    count.since = 0;
                    count.written = true;
                    count.writtenNs = nowNs;
                }
            }
        }
        return due;
    }

    private static AuditEntry entry(Refusal refusal, Count count) {
        boolean many = refusal.name().equals("many");
        Actor by =
                new Actor(
                        refusal.name(),
                        refusal.role(),
                        many ? null : count.latest.address(),
                        many ? null : count.latest.request());
        return new AuditEntry(
                refusal.kind(),
                by,
                refusal.subject(),
                null,
                List.of(),
                Map.of("reason", refusal.why(), "count", count.since));
    }
}
