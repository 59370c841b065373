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

    /** All groups of a lease, such as {@code 239.192.0.17:5000} or {@code [ff18::17]:5000}. */
    static String groups(JsonObject lease) {
        List<String> groups = new ArrayList<>();
        JsonArray array = lease.getArray("groups", new JsonArray());
        for (int i = 0; i < array.size(); i++) {
            JsonObject group = array.getObject(i);
            groups.add(endpoint(group.getString("address"), group.getInt("port")));
        }
        return String.join(" ", groups);
    }

    /** As URIs write it: a group of IPv6 is in brackets. */
    static String endpoint(String address, int port) {
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
    }

    /** One port, or a range of them. */
    static String ports(int first, int last) {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }

    /** A time, to the second; what is left off makes a lease's end the earlier one. */
    static String time(JsonObject of, String field) {
        return Instant.parse(of.getString(field)).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
