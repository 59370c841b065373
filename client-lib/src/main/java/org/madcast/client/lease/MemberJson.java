package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Members as JSON, the same towards the service and between ranks. */
final class MemberJson {

    private MemberJson() {}

    static JsonObject write(Member member) {
        JsonObject object = new JsonObject();
        object.put("address", JsonFields.literal(member.endpoint().getAddress()));
        object.put("port", member.endpoint().getPort());
        object.put("receiveBufferBytes", member.receiveBufferBytes());
        object.put("datagramBytes", member.datagramBytes());
        return object;
    }

    static Member read(JsonFields fields, int rank) throws IOException {
        return new Member(
                rank,
                fields.socketAddress(),
                fields.number("receiveBufferBytes", 0, Integer.MAX_VALUE),
                fields.number("datagramBytes", 0, 65_535));
    }

    /** All members of a communicator of this size, by rank; null for who is not there yet. */
    static List<@Nullable Member> readTable(List<JsonFields> elements, int size)
            throws IOException {
        @Nullable Member[] members = new @Nullable Member[size];
        for (JsonFields element : elements) {
            int rank = element.number("rank", 0, size - 1);
            members[rank] = read(element, rank);
        }
        List<@Nullable Member> table = new ArrayList<>(size);
        for (Member member : members) {
            table.add(member);
        }
        return table;
    }
}
