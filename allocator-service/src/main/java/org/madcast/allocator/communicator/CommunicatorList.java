package org.madcast.allocator.communicator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The communicators that there are, without what their datagrams carry. From any thread. */
@Component
class CommunicatorList {

    private final JdbcClient jdbc;

    CommunicatorList(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A communicator in a list.
     *
     * @param size how many ranks it has
     * @param present how many of them are there and alive
     * @param endReason why it ended
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Item(
            UUID id,
            String job,
            String name,
            @Nullable UUID parent,
            int size,
            long present,
            @Nullable UUID lease,
            Instant createdAt,
            @Nullable Instant completedAt,
            @Nullable Instant endedAt,
            @Nullable String endReason) {}

    /** The newest first. */
    @Schema(name = "Communicators")
    record Items(List<Item> items, int page, int size, long total) {}

    /**
     * A page of them.
     *
     * @param job of this job, null for any
     * @param ended those that ended, too
     */
    Items list(@Nullable String job, boolean ended, int page, int size) {
        String where =
                " from communicator c where true"
                        // Else no index could be used for the rest.
                        + (job == null ? "" : " and c.job = :job")
                        + (ended ? "" : " and c.ended_at is null");
        List<Item> items =
                jdbc.sql(
                                """
                                select c.*, (select count(*) from member m
                                    where m.communicator_id = c.id and m.left_at is null
                                        and m.expires_at > now()) as present
                                """
                                        + where
                                        + " order by c.created_at desc, c.id"
                                        + " limit :size offset :from")
                        .param("job", job, Types.VARCHAR)
                        .param("size", size)
                        .param("from", (long) page * size)
                        .query((row, _) -> read(row))
                        .list();
        long total =
                jdbc.sql("select count(*)" + where)
                        .param("job", job, Types.VARCHAR)
                        .query(Long.class)
                        .single();
        return new Items(items, page, size, total);
    }

    private static Item read(ResultSet row) throws SQLException {
        return new Item(
                row.getObject("id", UUID.class),
                row.getString("job"),
                row.getString("name"),
                row.getObject("parent_id", UUID.class),
                row.getInt("size"),
                row.getLong("present"),
                row.getObject("lease_id", UUID.class),
                SqlTime.get(row, "created_at"),
                SqlTime.getOrNull(row, "completed_at"),
                SqlTime.getOrNull(row, "ended_at"),
                row.getString("end_reason"));
    }
}
