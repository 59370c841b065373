package org.madcast.agent.leasebench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.leasebench.ClientThreads.Latencies;
import org.madcast.agent.leasebench.ClientThreads.Pace;

/**
 * Clients that each grant a lease over REST, release it, and again, for a time. One connection a
 * client.
 *
 * @param service the service
 * @param headers what each request carries, such as a bearer token's line
 * @param scope the scope to lease from
 * @param clients how many
 */
record LeaseLoad(URI service, String headers, String scope, int clients) {

    /**
     * Runs it.
     *
     * @param cyclesPerSecond how many cycles to begin a second in all, 0 for as many as go
     */
    Outcome run(Duration time, double cyclesPerSecond) throws InterruptedException {
        ClientThreads.Client client = this::cycle;
        return ClientThreads.run(Collections.nCopies(clients, client), time, cyclesPerSecond, 2);
    }

    private long[] cycle(Pace pace) throws IOException {
        Latencies latencies = new Latencies();
        String grant = "{\"job\":\"bench-leases\",\"scope\":\"" + scope + "\"}";
        try (LeanHttp http = new LeanHttp(service)) {
            while (!pace.isOver()) {
                long sentNs = pace.next();
                LeanHttp.Answer lease = http.send("POST", "/v1/leases", headers, grant);
                require(lease, 201);
                long grantedNs = System.nanoTime();
                String secret = headers + "Madcast-Lease-Secret: " + lease.text("secret") + "\r\n";
                require(http.send("DELETE", "/v1/leases/" + lease.text("id"), secret, ""), 204);
                latencies.add(grantedNs - sentNs);
                latencies.add(System.nanoTime() - grantedNs);
            }
        }
        return latencies.all();
    }

    private static void require(LeanHttp.Answer answer, int status) {
        if (answer.status() != status) {
            throw new CommandFailure(
                    ExitCode.SERVICE,
                    "the service refuses (" + answer.status() + "): " + answer.body());
        }
    }
}
