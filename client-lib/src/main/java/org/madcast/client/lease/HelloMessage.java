package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import org.madcast.client.CommunicatorConfig;

/**
 * How a rank presents itself to rank 0.
 *
 * @param job its job
 * @param name the communicator's name
 * @param rank its number
 * @param size how many ranks it expects
 * @param instance a random name of the process, so that its second attempt is known as its own
 */
record HelloMessage(String job, String name, int rank, int size, String instance) {

    static final String TYPE = "hello";

    /** The field with what a side has drawn for the connection, where the job has a key. */
    static final String DRAWN = "drawn";

    private static final int MAX_SIZE = 65_535;

    static HelloMessage of(CommunicatorConfig config, String instance) {
        return new HelloMessage(
                config.jobId(), config.name(), config.rank(), config.size(), instance);
    }

    JsonObject write() {
        JsonObject object = new JsonObject();
        object.put("type", TYPE);
        object.put("job", job);
        object.put("name", name);
        object.put("rank", rank);
        object.put("size", size);
        object.put("instance", instance);
        return object;
    }

    static HelloMessage read(JsonFields fields) throws IOException {
        if (!fields.text("type").equals(TYPE)) {
            throw new IOException("not a hello");
        }
        return new HelloMessage(
                fields.text("job"),
                fields.text("name"),
                fields.number("rank", 0, MAX_SIZE),
                fields.number("size", 1, MAX_SIZE),
                fields.text("instance"));
    }
}
