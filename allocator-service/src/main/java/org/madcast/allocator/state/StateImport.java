package org.madcast.allocator.state;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.StatementTimeouts;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.Problem.WrongField;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.StrictJson;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads a state that was exported into a service that has granted nothing yet: all of it or, when
 * anything is wrong, nothing. From any thread.
 */
@Component
class StateImport {

    private static final int BATCH = 1000;

    private final JdbcClient jdbc;
    private final StateTables tables;
    private final RetryingTransaction transaction;
    private final StatementTimeouts timeouts;
    private final Secrets secrets;
    private final AuditLog audit;
    private final ObjectMapper json;

    StateImport(
            JdbcClient jdbc,
            StateTables tables,
            RetryingTransaction transaction,
            StatementTimeouts timeouts,
            Secrets secrets,
            AuditLog audit,
            ObjectMapper json) {
        this.secrets = secrets;
        this.jdbc = jdbc;
        this.tables = tables;
        this.transaction = transaction;
        this.timeouts = timeouts;
        this.audit = audit;
        this.json = json;
    }

    /** How many rows of each table were read. */
    Map<String, Integer> read(BufferedReader lines) {
        return transaction.call(() -> readNow(lines));
    }

    private Map<String, Integer> readNow(BufferedReader lines) {
        timeouts.inThisTransaction();
        JsonNode head = next(lines, 1);
        if (head == null || !head.path("madcast").asString().equals("state")) {
            throw wrong(1, "is no head of a state: madcast export writes one");
        }
        if (!head.path("schema").asString().equals(tables.schema())) {
            throw wrong(
                    1,
                    "is of schema %s, and this service has %s: use the same version"
                            .formatted(head.path("schema").asString(), tables.schema()));
        }
        makeRoom();
        Map<String, Integer> counts = new LinkedHashMap<>();
        List<String> batch = new ArrayList<>();
        String of = "";
        for (int number = 2; ; number++) {
            JsonNode line = next(lines, number);
            if (line == null) {
                throw wrong(number, "is missing: the end of the state is not there");
            }
            String table = line.path("table").asString("");
            if (!table.equals(of) || batch.size() == BATCH) {
                insert(of, batch);
                batch.clear();
                of = table;
            }
            if (line.path("madcast").asString("").equals("end")) {
                break;
            }
            if (!StateTables.ALL.contains(table) || !line.path("row").isObject()) {
                throw wrong(number, "is no row of a table");
            }
            String row = line.path("row").toString();
            if (!StrictJson.isWhole(row)) {
                throw wrong(number, "has half of a surrogate pair");
            }
            batch.add(row);
            counts.merge(table, 1, Integer::sum);
        }
        jdbc.sql(
                        """
                        select setval('audit_id_seq', greatest(last_value,
                            (select coalesce(max(id), 1) from audit),
                            (select coalesce(max(position), 1) from webhook)))
                        from audit_id_seq
                        """)
                .query(Long.class)
                .single();
        jdbc.sql(
                        """
                        select setval(pg_get_serial_sequence('topology', 'id'),
                            (select coalesce(max(id), 0) + 1 from topology), false)
                        """)
                .query(Long.class)
                .single();
        secrets.forgetKey();
        audit.record(AuditKind.STATE_IMPORTED, "state", Map.copyOf(counts));
        return counts;
    }

    /** What every service has from its first start gives way; what was leased does not. */
    private void makeRoom() {
        jdbc.sql("lock table lease in share row exclusive mode").update();
        boolean used =
                jdbc.sql(
                                """
                                select exists (select from lease)
                                    or exists (select from communicator)
                                """)
                        .query(Boolean.class)
                        .single();
        if (used) {
            throw new Problem(
                    ProblemType.CONFLICT,
                    "This service has leases or communicators already. Import into a new one.");
        }
        jdbc.sql("delete from scope").update();
        jdbc.sql("delete from installation").update();
        jdbc.sql("delete from audit").update();
        jdbc.sql("delete from topology").update();
    }

    /** Tokens and webhooks that have a name here already stay as they are here. */
    private void insert(String table, List<String> rows) {
        if (rows.isEmpty()) {
            return;
        }
        String columns = tables.columns(table);
        jdbc.sql(
                        """
                        insert into %s (%s) overriding system value
                        select %s from unnest(:rows::json[]),
                            json_populate_record(null::%s, unnest)
                        on conflict do nothing
                        """
                                .formatted(table, columns, columns, table))
                .param("rows", rows.toArray(String[]::new))
                .update();
    }

    private @Nullable JsonNode next(BufferedReader lines, int number) {
        try {
            String line = lines.readLine();
            return line == null ? null : json.readTree(line);
        } catch (IOException broken) {
            throw wrong(number, "is not JSON");
        } catch (JacksonException broken) {
            WrongField named = StrictJson.named(broken);
            throw wrong(
                    number,
                    named == null
                            ? "is not JSON"
                            : "is wrong: %s %s".formatted(named.field(), named.message()));
        }
    }

    private static Problem wrong(int number, String what) {
        return Problem.invalid("line " + number, what);
    }
}
