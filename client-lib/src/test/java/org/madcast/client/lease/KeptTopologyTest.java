package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.topology.RankOrder;

/** Ranks that get a topology from the service. */
@Timeout(180)
class KeptTopologyTest {

    private static final int RANKS = 3;

    private static final String TOPOLOGY =
            """
            {"name": "cluster", "ranks": [2, 0, 1],
             "tree": {"switches": ["s0", "s1"],
                      "cables": [{"one": "s0", "other": "s1", "bitsPerSecond": 20000000}],
                      "hosts": [{"at": "s0", "bitsPerSecond": 1000000000, "names": ["a", "b"]},
                                {"at": "s1", "bitsPerSecond": 1000000000, "names": ["c"]}]}}
            """;

    @Test
    void theServiceSaysOnWhichHostsTheRanksAre() throws Exception {
        try (ContractService service = new ContractService()) {
            service.topology = TOPOLOGY;
            for (Rendezvous joined : JoinedRanks.join(service, "", "", "")) {
                KeptTopology topology = joined.topology().orElseThrow();
                assertThat(topology.name()).isEqualTo("cluster");
                RankOrder order = topology.order();
                assertThat(IntStream.range(0, RANKS).map(place -> order.rank(place, 2)))
                        .containsExactly(2, 0, 1);
                assertThat(order.tree().name(order.host(0))).isEqualTo("c");
                joined.close();
            }
        }
    }

    @Test
    void broadcastsArriveInTheWorldAndInAPartOfIt() throws Exception {
        try (ContractService service = new ContractService();
                ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            service.topology = TOPOLOGY;
            List<Future<Boolean>> ranks = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++) {
                CommunicatorConfig config =
                        CommunicatorConfig.builder("job", rank, RANKS)
                                .serviceUri(service.uri())
                                .networkInterface("lo")
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .parameters(
                                        BroadcastParameters.builder().partMulticastBytes(0).build())
                                .build();
                ranks.add(threads.submit(() -> inWorldAndPart(config)));
            }
            for (Future<Boolean> rank : ranks) {
                assertThat(rank.get(50, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static boolean inWorldAndPart(CommunicatorConfig config) {
        try (Communicator world = Communicator.join(config);
                Communicator part = world.split(0, -world.rank()).orElseThrow()) {
            return arrive(world) && arrive(part);
        }
    }

    private static boolean arrive(Communicator ranks) {
        boolean right = true;
        for (Algorithm algorithm : List.of(Algorithm.CHAIN, Algorithm.BINARY, Algorithm.ONCE)) {
            byte[] message = new byte[50_000];
            byte[] sent = new byte[message.length];
            Arrays.fill(sent, (byte) algorithm.code());
            byte[] own = ranks.rank() == 1 ? sent : message;
            ranks.bcast(MemorySegment.ofArray(own), 1, algorithm);
            right &= Arrays.equals(own, sent);
        }
        return right;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "at": "s1"  | "at": "s9"   | a cable leads to 's9'
                    20000000    | 0            | no number 'bitsPerSecond' above 0
                    [2, 0, 1]   | [2, 0]       | a topology for 2 ranks, not 3
                    [2, 0, 1]   | [2, 0, 3]    | 'ranks' has an element that is no number
                    [2, 0, 1]   | [2, 0, "x"]  | 'ranks' has an element that is no number
                    "c"         | "a"          | a is there already
                    "c"         | 7            | 'names' has an element that is not a text
                    """)
    void whatIsNoTreeIsRefused(String right, String wrong, String why) {
        assertThatThrownBy(() ->
                        KeptTopology.read(JsonFields.parse(TOPOLOGY.replace(right, wrong)), RANKS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }
}
