package org.madcast.allocator.state;

import java.util.List;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The tables that are the service's state, and their columns. */
@Component
class StateTables {

    /** Each after those that it refers to. */
    static final List<String> ALL =
            List.of(
                    "installation",
                    "access_token",
                    "webhook",
                    "scope",
                    "slot",
                    "reservation",
                    "lease",
                    "lease_group",
                    "madcap_lease",
                    "topology",
                    "topology_host",
                    "communicator",
                    "member",
                    "audit");

    private final JdbcClient jdbc;

    StateTables(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The version of the schema: that of the last migration. */
    String schema() {
        return jdbc.sql(
                        """
                        select version from flyway_schema_history where success
                        order by installed_rank desc limit 1
                        """)
                .query(String.class)
                .single();
    }

    /** The columns of a table that are not computed, separated by commas. */
    String columns(String table) {
        return jdbc
                .sql(
                        """
                        select quote_ident(attname) from pg_attribute
                        where attrelid = ?::regclass and attnum > 0 and not attisdropped
                            and attgenerated = '' order by attnum
                        """)
                .param(table)
                .query(String.class)
                .list()
                .stream()
                .collect(Collectors.joining(", "));
    }
}
