package org.madcast.measure.leasebench;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.LongStream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/**
 * Clients that each grant a lease over REST, release it, and again, for a time. One connection a
 * client, one thread for all of them, so that the load costs little of what it measures.
 *
 * @param service the service
 * @param headers what each request carries, such as a bearer token's line
 * @param scope the scope to lease from
 * @param clients how many
 */
record LeaseLoad(URI service, String headers, String scope, int clients) {

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    /**
     * Runs it.
     *
     * @param cyclesPerSecond how many cycles to begin a second in all, 0 for as many as go
     */
    Outcome run(Duration time, double cyclesPerSecond) {
        try (Selector selector = Selector.open()) {
            return new Run(selector, time, cyclesPerSecond).outcome();
        } catch (IOException failure) {
            throw UnderLoad.failed(failure);
        }
    }

    /** One run. For one thread. */
    private final class Run {

        private final Selector selector;
        private final long startNs;
        private final long endNs;
        private final double everyNs;
        private final LongStream.Builder latencies = LongStream.builder();
        private final List<Client> all = new ArrayList<>();
        private final PriorityQueue<Client> resting =
                new PriorityQueue<>(Comparator.comparingDouble(it -> it.dueNs));
        private int working;

        Run(Selector selector, Duration time, double cyclesPerSecond) throws IOException {
            this.selector = selector;
            this.everyNs = cyclesPerSecond <= 0 ? 0 : 1e9 * clients / cyclesPerSecond;
            for (int i = 0; i < clients; i++) {
                all.add(new Client(this));
            }
            this.startNs = System.nanoTime();
            this.endNs = startNs + time.toNanos();
        }

        Outcome outcome() throws IOException {
            try {
                for (int i = 0; i < clients; i++) {
                    Client client = all.get(i);
                    client.dueNs = startNs + everyNs * i / clients;
                    resting.add(client);
                }
                work();
            } finally {
                for (Client client : all) {
                    client.http.close();
                }
            }
            double seconds = (System.nanoTime() - startNs) / 1e9;
            long[] sorted = latencies.build().sorted().toArray();
            return new Outcome(sorted.length / 2, seconds, sorted);
        }

        private void work() throws IOException {
            long heardNs = System.nanoTime();
            while (true) {
                long nowNs = System.nanoTime();
                beginDue(nowNs);
                if (working == 0 && (resting.isEmpty() || nowNs >= endNs)) {
                    return;
                }
                if (selector.select(this::onReadable, untilNextMs(nowNs)) > 0 || working == 0) {
                    heardNs = System.nanoTime();
                } else if (System.nanoTime() - heardNs > LONGEST_SILENCE.toNanos()) {
                    throw new IOException("silent for " + LONGEST_SILENCE.toSeconds() + " s");
                }
            }
        }

        private void beginDue(long nowNs) throws IOException {
            while (nowNs < endNs) {
                Client next = resting.peek();
                if (next == null || next.dueNs > nowNs) {
                    return;
                }
                resting.remove();
                working++;
                next.begin(everyNs > 0 ? (long) next.dueNs : nowNs);
            }
        }

        private long untilNextMs(long nowNs) {
            Client next = resting.peek();
            double wakeNs = next == null ? (double) endNs : Math.min((double) endNs, next.dueNs);
            return Math.clamp((long) Math.ceil((wakeNs - (double) nowNs) / 1e6), 1, 1000);
        }

        private void onReadable(SelectionKey key) {
            if (key.attachment() instanceof Client client) {
                client.onReadable();
            }
        }

        /** A cycle that comes late makes those behind it late: that counts. */
        private void rest(Client client) {
            working--;
            client.dueNs = everyNs > 0 ? client.dueNs + everyNs : (double) System.nanoTime();
            if (System.nanoTime() < endNs) {
                resting.add(client);
            }
        }
    }

    /** One client, between two cycles, granting, or releasing. */
    private final class Client {

        private final Run run;
        private final LoadConnection http;
        private final byte[] grant;
        private double dueNs;
        private long sentNs;
        private boolean releasing;

        Client(Run run) throws IOException {
            this.run = run;
            this.http = new LoadConnection(service, run.selector, this);
            String body = "{\"job\":\"bench-leases\",\"scope\":\"" + scope + "\"}";
            this.grant = http.request("POST", "/v1/leases", headers, body);
        }

        void begin(long fromNs) throws IOException {
            releasing = false;
            sentNs = fromNs;
            http.send(grant);
        }

        void onReadable() {
            try {
                LoadConnection.Answer answer = http.receive();
                if (answer != null) {
                    next(answer);
                }
            } catch (IOException failure) {
                throw UnderLoad.failed(failure);
            }
        }

        private void next(LoadConnection.Answer answer) throws IOException {
            long nowNs = System.nanoTime();
            run.latencies.accept(nowNs - sentNs);
            require(answer, releasing ? 204 : 201);
            if (releasing) {
                run.rest(this);
                return;
            }
            releasing = true;
            sentNs = nowNs;
            String secret = headers + "Madcast-Lease-Secret: " + answer.text("secret") + "\r\n";
            http.send(http.request("DELETE", "/v1/leases/" + answer.text("id"), secret, ""));
        }
    }

    private static void require(LoadConnection.Answer answer, int status) {
        if (answer.status() != status) {
            throw new CommandFailure(
                    ExitCode.SERVICE,
                    "the service refuses with status " + answer.status() + ": " + answer.body());
        }
    }
}
