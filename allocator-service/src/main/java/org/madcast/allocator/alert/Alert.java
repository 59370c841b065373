package org.madcast.allocator.alert;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something to look at.
 *
 * @param kind what sort of thing
 * @param subject what it is about, such as a host or a scope
 * @param text what is the matter, with the numbers
 * @param advice what to do
 * @param communicator where it shows, null when it is not about one
 */
public record Alert(
        Kind kind, String subject, String text, String advice, @Nullable UUID communicator) {

    /** The page that shows more, as a path. */
    public String page() {
        return communicator != null
                ? "/communicators/" + communicator
                : kind == Kind.POOL_FULL ? "/scopes" : "/nodes";
    }

    /** At most a fixed number of each kind, in their order: many of one kind hide no other. */
    public static List<Alert> firstOfEachKind(List<Alert> alerts, int each) {
        Map<Kind, Integer> seen = new EnumMap<>(Kind.class);
        return alerts.stream()
                .filter(alert -> seen.merge(alert.kind(), 1, Integer::sum) <= each)
                .toList();
    }

    /** The sorts of alerts, the worst first. */
    public enum Kind {
        POOL_FULL,
        MULTICAST_DEAD,
        LEASE_ENDING,
        FOREIGN_TRAFFIC,
        NODE_LOSS,
        NODE_SILENT,
        REPORTS_DROPPED;

        /** As a label of a metric and a class of the page. */
        public String label() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
