package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Four agents, a push that lost one of them, and a probe that found a deaf one. */
final class SampleFleet {

    private static final long BYTES = 8_000_000_000L;

    private final Rest rest;
    private final UUID push = UUID.randomUUID();
    private final UUID probe = UUID.randomUUID();

    SampleFleet(Rest rest) {
        this.rest = rest;
    }

    UUID push() {
        return push;
    }

    UUID probe() {
        return probe;
    }

    void start() {
        for (int node = 1; node <= 4; node++) {
            send(
                    "/v1/nodes",
                    """
                    {"name":"h%d","address":"h%d:8731","version":"0.1.0","intervalSeconds":600,
                     "active":1,"complete":3,"files":12,"bytes":91234567890}
                    """
                            .formatted(node, node));
        }
        goOn(1, 37);
        send(
                "/v1/probes",
                """
                {"id":"%s","group":"239.195.0.7:5000","ttl":1,"seconds":4.2,
                 "findings":[{"trouble":"no-multicast","nodes":["h4"],
                    "what":"multicast of nobody reaches h4, unicast does",
                    "cure":"Look at IGMP snooping on its switch port."}],
                 "queries":{},"queriesAudible":true,"nodes":[%s]}
                """
                        .formatted(
                                probe, nodes(it -> it == 4 ? "" : others(it), "\"hears\":[%s]")));
    }

    /** The push is so far. */
    void goOn(int sequence, int percent) {
        long done = BYTES / 100 * percent;
        send(
                "/v1/pushes",
                """
                {"id":"%s","sequence":%d,"sender":"h0","destination":"/srv/data",
                 "state":"RUNNING","files":12,"bytes":%d,"doneBytes":%d,"streamBytes":%d,
                 "rounds":2,"nodes":[%s]}
                """
                        .formatted(
                                push,
                                sequence,
                                BYTES,
                                done,
                                done,
                                nodes(
                                        it ->
                                                it == 2
                                                        ? "\"lost\",\"reason\":\"its agent died"
                                                                + " or was ended\""
                                                        : "\"running\",\"streamBytes\":" + done,
                                        "\"state\":%s")));
    }

    private static String others(int self) {
        return IntStream.rangeClosed(1, 4)
                .filter(it -> it != self)
                .mapToObj(it -> "\"h" + it + '"')
                .collect(Collectors.joining(","));
    }

    private static String nodes(java.util.function.IntFunction<String> value, String field) {
        return IntStream.rangeClosed(1, 4)
                .mapToObj(
                        it -> "{\"node\":\"h" + it + "\"," + field.formatted(value.apply(it)) + "}")
                .collect(Collectors.joining(","));
    }

    private void send(String path, String body) {
        Rest.Answer answer = rest.post(path, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(204);
    }
}
