package org.madcast.allocator.audit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.ObjectMapper;

/**
 * Records what is done, in the transaction that does it: what was not committed was not done. From
 * any thread.
 */
@Component
public class AuditLog {

    private final JdbcClient jdbc;
    private final ObjectMapper json;
    private final AuditStream stream;
    private final Refusals refusals;

    AuditLog(JdbcClient jdbc, ObjectMapper json, AuditStream stream, Refusals refusals) {
        this.jdbc = jdbc;
        this.json = json;
        this.stream = stream;
        this.refusals = refusals;
    }

    /** Records something that this thread's caller did to what is no lease. */
    public void record(AuditKind kind, String subject, Map<String, Object> detail) {
        recordAll(List.of(AuditEntry.of(kind, subject, detail)));
    }

    /**
     * Records that a request was refused. The entry is written within a second, and what is refused
     * again and again once a minute, with how often.
     *
     * @param by who was refused
     * @param subject what was asked for
     * @param reason why not, in a word
     */
    public void refused(AuditKind kind, Actor by, String subject, String reason) {
        refusals.add(kind, by, subject, reason);
    }

    /** Records several in one statement. */
    public void recordAll(List<AuditEntry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        jdbc.sql(
                        """
                        insert into audit (at, what, who, role, address, request, subject, lease,
                            groups, detail)
                        select now(), what, who, role, address, request, subject, lease,
                            groups::inet[], detail
                        from unnest(:whats::text[], :whos::text[], :roles::text[],
                            :addresses::inet[], :requests::text[], :subjects::text[],
                            :leases::uuid[], :groups::text[], :details::json[])
                            as entry (what, who, role, address, request, subject, lease, groups,
                                detail)
                        """)
                .param("whats", texts(entries, it -> it.kind().word()))
                .param("whos", texts(entries, it -> it.by().name()))
                .param("roles", texts(entries, it -> it.by().role()))
                .param("addresses", texts(entries, it -> it.by().address()))
                .param("requests", texts(entries, it -> it.by().request()))
                .param("subjects", texts(entries, AuditEntry::subject))
                .param("leases", texts(entries, AuditEntry::lease))
                .param("groups", texts(entries, AuditLog::groups))
                .param("details", texts(entries, it -> json.writeValueAsString(it.detail())))
                .update();
        if (stream.isOn()) {
            whenCommitted(() -> entries.forEach(stream::tell));
        }
    }

    /** As the database reads an array. */
    private static @Nullable String groups(AuditEntry entry) {
        return entry.groups().isEmpty() ? null : "{" + String.join(",", entry.groups()) + "}";
    }

    private static void whenCommitted(Runnable then) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            then.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        then.run();
                    }
                });
    }

    private static <T> @Nullable String[] texts(
            Collection<T> rows, Function<T, @Nullable Object> column) {
        @Nullable String[] texts = new String[rows.size()];
        int i = 0;
        for (T row : rows) {
            Object value = column.apply(row);
            texts[i++] = value == null ? null : value.toString();
        }
        return texts;
    }
}
