package org.madcast.allocator.communicator;

import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.ObjectMapper;

/** The profiles of communicators. From any thread. */
@Repository
public class ProfileStore {

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    ProfileStore(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** Keeps one, in the place of an earlier one; false if the communicator was just forgotten. */
    boolean put(UUID communicator, Profile profile) {
        return jdbc.sql(
                                """
                                insert into communicator_profile (communicator, profile)
                                select id, ?::json from communicator where id = ?
                                on conflict (communicator) do update set profile = excluded.profile
                                """)
                        .params(json.writeValueAsString(profile), communicator)
                        .update()
                > 0;
    }

    /** That of a communicator. */
    public Optional<Profile> find(UUID communicator) {
        return jdbc.sql("select profile from communicator_profile where communicator = ?")
                .param(communicator)
                .query((row, _) -> json.readValue(row.getString(1), Profile.class))
                .optional();
    }
}
