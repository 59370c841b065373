package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** How a granted lease is printed: in the form that the user asked for. */
enum LeaseFormat {
    /** For people. */
    TEXT {
        @Override
        String print(JsonObject lease) {
            return String.join(
                    "\n",
                    "group    " + LeaseText.groups(lease),
                    "scope    " + lease.getString("scope"),
                    "expires  " + LeaseText.time(lease, "expiresAt"),
                    "id       " + lease.getString("id"),
                    "secret   " + lease.getString("secret"));
        }
    },

    /**
     * Assignments of shell variables, which Madcast's ranks and {@code lease release} read. Ranks
     * take one group, the first; of several, all are in a variable for scripts.
     */
    ENV {
        @Override
        String print(JsonObject lease) {
            List<String> groups = groups(lease).stream().map(Group::endpoint).toList();
            List<String> lines = new ArrayList<>();
            lines.add("export MADCAST_GROUP='" + groups.getFirst() + "'");
            if (groups.size() > 1) {
                lines.add("export MADCAST_GROUPS='" + String.join(" ", groups) + "'");
            }
            lines.add("export MADCAST_LEASE='" + lease.getString("id") + "'");
            lines.add("export MADCAST_LEASE_SECRET='" + lease.getString("secret") + "'");
            return String.join("\n", lines);
        }
    },

    /** What the service answered. */
    JSON {
        @Override
        String print(JsonObject lease) {
            return JsonWriter.string(lease);
        }
    },

    /** Options for a JVM with JGroups' own stack, udp.xml; a line for each group. */
    JGROUPS {
        @Override
        String print(JsonObject lease) {
            StringJoiner lines = new StringJoiner("\n");
            for (Group group : groups(lease)) {
                lines.add(
                        "-Djgroups.udp.mcast_addr="
                                + group.address()
                                + " -Djgroups.udp.mcast_port="
                                + group.port()
                                + ttl(lease, " -Djgroups.udp.ip_ttl="));
            }
            return lines.toString();
        }
    },

    /**
     * Aeron's channels, one to a line. Aeron takes an odd address for its data and sends its status
     * messages to the next one, so pairs are leased.
     */
    AERON {
        @Override
        void shape(JsonObject request, int count) {
            JsonObject layout = new JsonObject();
            layout.put("alignment", 2);
            layout.put("offset", 1);
            request.put("count", 2 * count);
            request.put("layout", layout);
        }

        @Override
        String print(JsonObject lease) {
            StringJoiner lines = new StringJoiner("\n");
            for (Group group : groups(lease)) {
                if (group.isOdd()) {
                    lines.add("aeron:udp?endpoint=" + group.endpoint() + ttl(lease, "|ttl="));
                }
            }
            return lines.toString();
        }
    },

    /** The part of hazelcast.yaml that says how members find each other; a document each. */
    HAZELCAST {
        @Override
        String print(JsonObject lease) {
            StringJoiner documents = new StringJoiner("\n---\n");
            for (Group group : groups(lease)) {
                documents.add(
                        String.join(
                                "\n",
                                "hazelcast:",
                                "  network:",
                                "    join:",
                                "      auto-detection:",
                                "        enabled: false",
                                "      multicast:",
                                "        enabled: true",
                                "        multicast-group: " + group.address(),
                                "        multicast-port: "
                                        + group.port()
                                        + ttl(lease, "\n        multicast-time-to-live: ")));
            }
            return documents.toString();
        }
    };

    /** A group of a lease. */
    private record Group(String address, int port) {

        boolean isOdd() {
            byte[] bytes = InetAddress.ofLiteral(address).getAddress();
            return (bytes[bytes.length - 1] & 1) == 1;
        }

        String endpoint() {
            return LeaseText.endpoint(address, port);
        }
    }

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Puts into a request which groups are wanted. */
    void shape(JsonObject request, int count) {
        request.put("count", count);
    }

    /** The text, without the last line's end. */
    abstract String print(JsonObject lease);

    /** Whether the text itself tells the lease's id and secret. */
    boolean tellsSecret() {
        return this == TEXT || this == ENV || this == JSON;
    }

    private static List<Group> groups(JsonObject lease) {
        List<Group> groups = new ArrayList<>();
        JsonArray array = lease.getArray("groups", new JsonArray());
        for (int i = 0; i < array.size(); i++) {
            JsonObject group = array.getObject(i);
            groups.add(new Group(group.getString("address"), group.getInt("port")));
        }
        return groups;
    }

    /** The TTL that the scope has, as an option; nothing when the service doesn't say. */
    private static String ttl(JsonObject lease, String option) {
        return lease.has("ttl") ? option + lease.getInt("ttl") : "";
    }
}
