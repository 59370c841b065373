package org.madcast.agent.demo;

import com.grack.nanojson.JsonObject;

/**
 * What one rank says at its end.
 *
 * @param startNs on the machine's monotonic clock, which all ranks of one machine share
 * @param endNs when it had all bytes, before it computed the digest of the last of them
 */
record RankOutcome(
        int rank,
        String host,
        long startNs,
        long endNs,
        long bytes,
        String sha256,
        boolean checksumOk,
        long datagramsSent,
        long datagramsReceived,
        long fragmentsLost,
        long repairsReceived,
        long repairsSent) {

    static RankOutcome of(int rank, String host, JsonObject done) {
        return new RankOutcome(
                rank,
                host,
                done.getLong("startNs"),
                done.getLong("endNs"),
                done.getLong("bytes"),
                done.getString("sha256", ""),
                done.getBoolean("checksumOk"),
                done.getLong("datagramsSent"),
                done.getLong("datagramsReceived"),
                done.getLong("fragmentsLost"),
                done.getLong("repairsReceived"),
                done.getLong("repairsSent"));
    }
}
