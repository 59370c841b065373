package org.madcast.agent.probe;

import com.grack.nanojson.JsonObject;

/**
 * What arrived of a train.
 *
 * @param train its number
 * @param received how many datagrams
 * @param bytes and of how many bytes
 * @param spanNs from the first to the last
 * @param ageNs since the last
 */
record TrainCount(int train, long received, long bytes, long spanNs, long ageNs) {

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.put("train", train);
        json.put("received", received);
        json.put("bytes", bytes);
        json.put("spanNs", spanNs);
        json.put("ageNs", ageNs);
        return json;
    }

    static TrainCount of(JsonObject json) {
        return new TrainCount(
                json.getInt("train"),
                json.getLong("received"),
                json.getLong("bytes"),
                json.getLong("spanNs"),
                json.getLong("ageNs"));
    }
}
