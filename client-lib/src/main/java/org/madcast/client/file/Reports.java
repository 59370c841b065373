package org.madcast.client.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The last word of every rank: what it did. A collective operation. */
final class Reports {

    private Reports() {}

    /** A receiver's. */
    static FileReport gather(Exchange exchange, Tally tally) throws ProtocolException {
        return gather(exchange, tally, 0);
    }

    /** The sender's, who knows how much was sent. */
    static FileReport gather(Exchange exchange, Tally tally, long bytesSent)
            throws ProtocolException {
        byte[] counts = tally.encode();
        byte[] mine =
                ByteBuffer.allocate(Long.BYTES + counts.length)
                        .putLong(bytesSent)
                        .put(counts)
                        .array();
        List<RankReport> ranks = new ArrayList<>();
        long[] sent = {0};
        exchange.allgather(
                mine,
                (rank, message) -> {
                    ByteBuffer bytes = ByteBuffer.wrap(message);
                    if (bytes.remaining() < Long.BYTES) {
                        throw new ProtocolException("rank " + rank + " reports nothing");
                    }
                    sent[0] += bytes.getLong();
                    byte[] rest = new byte[bytes.remaining()];
                    bytes.get(rest);
                    ranks.add(Tally.decode(rank, rest));
                });
        return new FileReport(sent[0], ranks);
    }
}
