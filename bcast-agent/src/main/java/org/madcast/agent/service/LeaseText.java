package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Leases as text. */
final class LeaseText {

    private LeaseText() {}

    /** All groups of a lease, such as {@code 239.192.0.17:5000}. */
    static String groups(JsonObject lease) {
        List<String> groups = new ArrayList<>();
        JsonArray array = lease.getArray("groups", new JsonArray());
        for (int i = 0; i < array.size(); i++) {
            JsonObject group = array.getObject(i);
            groups.add(group.getString("address") + ":" + group.getInt("port"));
        }
        return String.join(" ", groups);
    }

    /** A time, to the second; what is left off makes a lease's end the earlier one. */
    static String time(JsonObject of, String field) {
        return Instant.parse(of.getString(field)).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
