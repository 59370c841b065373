package org.madcast.allocator.audit;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.page.Show;
import org.springframework.stereotype.Component;

/** What was done, by whom: the latest first. */
@Component
class AuditPage {

    private static final int ROWS = 50;
    private static final List<String> KINDS =
            Arrays.stream(AuditKind.values()).map(AuditKind::word).toList();

    private final AuditQueries audit;

    AuditPage(AuditQueries audit) {
        this.audit = audit;
    }

    /** What is looked for, as it was typed; empty strings mean anything. */
    public record Search(
            String group,
            String at,
            String what,
            String who,
            String address,
            @Nullable Long before) {

        static Search of(Map<String, String> typed) {
            return new Search(
                    text(typed, "group"),
                    text(typed, "at"),
                    text(typed, "what"),
                    text(typed, "who"),
                    text(typed, "address"),
                    before(text(typed, "before")));
        }

        private static String text(Map<String, String> typed, String name) {
            String text = typed.getOrDefault(name, "").strip();
            return text.substring(0, Math.min(200, text.length()));
        }

        private static @Nullable Long before(String text) {
            return text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
        }

        /** Whether it finds whatever there is. */
        public boolean any() {
            return (group + at + what + who + address).isEmpty() && before == null;
        }
    }

    /** The whole page. */
    public record View(
            Search search,
            List<String> kinds,
            @Nullable String wrong,
            List<Row> rows,
            @Nullable Long next) {}

    /** A line of the table. */
    public record Row(
            String at,
            String what,
            String who,
            String role,
            String from,
            @Nullable String request,
            String subject,
            @Nullable UUID lease,
            String groups,
            String detail) {}

    View view(Search search) {
        AuditQueries.Filter filter;
        try {
            filter = filter(search);
        } catch (IllegalArgumentException | DateTimeException wrong) {
            return new View(search, KINDS, wrong.getMessage(), List.of(), null);
        }
        List<AuditQueries.Entry> entries = audit.find(filter, ROWS);
        return new View(
                search,
                KINDS,
                null,
                entries.stream().map(AuditPage::row).toList(),
                entries.size() < ROWS ? null : Long.valueOf(entries.getLast().id()));
    }

    private static AuditQueries.Filter filter(Search search) {
        AuditSearch.@Nullable Group group = AuditSearch.group(search.group());
        if (group == null && !search.at().isEmpty()) {
            throw new IllegalArgumentException("a time goes with a group");
        }
        return new AuditQueries.Filter(
                KINDS.contains(search.what()) ? search.what() : null,
                search.who().isEmpty() ? null : search.who(),
                AuditSearch.network(search.address()),
                group,
                search.at().isEmpty() ? null : time(search.at()),
                null,
                null,
                null,
                null,
                search.before());
    }

    /** As a browser writes it, in universal time. */
    private static Instant time(String text) {
        return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    }

    private static Row row(AuditQueries.Entry entry) {
        return new Row(
                Show.moment(entry.at()),
                entry.what(),
                entry.who(),
                entry.role().equals("none") ? "" : entry.role(),
                entry.address() == null ? "–" : entry.address(),
                entry.requestId(),
                entry.subject(),
                entry.lease(),
                String.join(", ", entry.groups()),
                detail(entry.detail(), Show.moment(entry.at())));
    }

    /** What changed, or what else is known, in one line. */
    private static String detail(Map<String, Object> detail, String at) {
        List<String> parts = new ArrayList<>();
        if (detail.get("before") instanceof Map<?, ?> before
                && detail.get("after") instanceof Map<?, ?> after) {
            for (Object name : new TreeSet<>(after.keySet())) {
                if (!Objects.equals(before.get(name), after.get(name))) {
                    parts.add(name + ": " + before.get(name) + " → " + after.get(name));
                }
            }
            return parts.isEmpty() ? "nothing changed" : String.join("; ", parts);
        }
        detail.forEach((name, value) -> {
            switch (name) {
                case "groups", "before", "after" -> {} // shown by themselves
                case "startsAt" -> {
                    String from = Show.moment(Instant.parse(value.toString()));
                    if (!from.equals(at)) {
                        parts.add("from " + from);
                    }
                }
                case "expiresAt" ->
                        parts.add("until " + Show.moment(Instant.parse(value.toString())));
                default -> {
                    if (!name.equals("count") || !value.equals(1)) {
                        parts.add(name + " " + value);
                    }
                }
            }
        });
        return String.join(", ", parts);
    }
}
