package org.madcast.allocator.state;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.sql.DataSource;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.ObjectMapper;

/** Writes the state as it is at one moment, a row to a line. From any thread. */
@Component
class StateExport {

    /** Rows that are fetched at a time. */
    private static final int ROWS = 500;

    private final JdbcTemplate rows;
    private final StateTables tables;
    private final SqlTime time;
    private final AuditLog audit;
    private final ObjectMapper json;
    private final TransactionTemplate moment;

    StateExport(
            DataSource database,
            PlatformTransactionManager transactions,
            StateTables tables,
            SqlTime time,
            AuditLog audit,
            ObjectMapper json) {
        this.moment = new TransactionTemplate(transactions);
        this.moment.setReadOnly(true);
        this.moment.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        this.audit = audit;
        this.rows = new JdbcTemplate(database);
        this.rows.setFetchSize(ROWS);
        this.tables = tables;
        this.time = time;
        this.json = json;
    }

    /**
     * Writes it.
     *
     * @param withAudit whether what was recorded is part of it
     * @throws UncheckedIOException when the reader has gone away
     */
    void write(OutputStream out, boolean withAudit) {
        audit.record(AuditKind.STATE_EXPORTED, "state", Map.of("audit", withAudit));
        moment.executeWithoutResult(_ -> writeNow(out, withAudit));
    }

    private void writeNow(OutputStream out, boolean withAudit) {
        line(
                out,
                json.writeValueAsString(
                        Map.of(
                                "madcast",
                                "state",
                                "schema",
                                tables.schema(),
                                "at",
                                time.now().toString())));
        for (String table : StateTables.ALL) {
            if (withAudit || !table.equals("audit")) {
                // The names are our own.
                rows.query(
                        "select json_build_object('table', '%s', 'row', row_to_json(t))::text from (select %s from %s) t"
                                .formatted(table, tables.columns(table), table),
                        row -> {
                            line(out, row.getString(1));
                        });
            }
        }
        line(out, "{\"madcast\":\"end\"}");
    }

    private static void line(OutputStream out, String text) {
        try {
            out.write(text.replace("\n", " ").getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
