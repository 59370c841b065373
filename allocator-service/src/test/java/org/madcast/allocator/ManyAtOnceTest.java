package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Leases and communicators live side by side in a service whose heap is limited to 512 MB: they are
 * in the database, so it does not grow with them.
 */
class ManyAtOnceTest {

    private static final int HANDS = 48;
    private static final String SCOPE =
            "{\"ranges\":[\"225.2.0.0/15\"],\"allowUnscoped\":true,"
                    + "\"sharing\":{\"segment\":\"many\"}}";

    @Test
    void someFit() throws Exception {
        run(500, 8, 8);
    }

    @Test
    @Tag("slow")
    void aHundredThousandLeasesAndAThousandCommunicatorsFit() throws Exception {
        run(100_000, 1000, 64);
    }

    private static void run(int leases, int communicators, int members) throws Exception {
        try (ServiceInProcess service =
                ServiceInProcess.start(RunningService.newDirectory("many"))) {
            Rest rest = service.rest();
            assertThat(rest.post("/v1/scopes/many", SCOPE).status()).isEqualTo(201);
            String lease = "{\"job\":\"many\",\"scope\":\"many\",\"durationSeconds\":86400}";
            everybody(leases, i -> require(201, rest.post("/v1/leases", lease)));
            everybody(communicators, i -> meet(rest, i, members));
            assertThat(rest.get("/v1/leases?scope=many&state=ACTIVE&size=1").json().path("total"))
                    .hasToString(String.valueOf(leases));
            String living = "/v1/leases?scope=default&state=ACTIVE&size=1";
            assertThat(rest.get(living).json().path("total"))
                    .hasToString(String.valueOf(communicators));
            require(201, rest.post("/v1/leases", lease));
            long bytes = service.heapAfterCollection();
            System.out.printf(
                    "%d leases, %d communicators of %d: %d MB of heap%n",
                    leases, communicators, members, bytes >> 20);
            assertThat(bytes).isLessThan(512L << 20);
        }
    }

    private static void meet(Rest rest, int number, int members) {
        Rest.Answer made =
                rest.post(
                        "/v1/communicators",
                        "{\"job\":\"j%d\",\"name\":\"world\",\"size\":%d,\"durationSeconds\":86400}"
                                .formatted(number, members));
        require(201, made);
        String path = "/v1/communicators/" + made.string("id") + "/members/";
        for (int rank = 0; rank < members; rank++) {
            require(
                    200,
                    rest.put(
                            path + rank,
                            """
                            {"address":"10.77.0.%d","port":40001,"host":"h%d","pid":%d,
                            "receiveBufferBytes":4194304,"datagramBytes":1472,"instance":"%s"}
                            """
                                    .formatted(1 + rank, rank, rank + 1, UUID.randomUUID())));
        }
        Rest.Answer all = rest.get("/v1/communicators/" + made.string("id"));
        assertThat(all.json().path("complete").asBoolean()).isTrue();
    }

    private static void require(int status, Rest.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    }

    private static void everybody(int count, IntConsumer work) throws Exception {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> hands = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(HANDS)) {
            for (int i = 0; i < HANDS; i++) {
                hands.add(
                        threads.submit(() -> {
                            for (int n = next.getAndIncrement();
                                    n < count;
                                    n = next.getAndIncrement()) {
                                work.accept(n);
                            }
                        }));
            }
        }
        for (Future<?> hand : hands) {
            hand.get();
        }
    }
}
