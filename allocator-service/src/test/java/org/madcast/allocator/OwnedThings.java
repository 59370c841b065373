package org.madcast.allocator;

import java.util.UUID;

/** A job's lease, communicator with a rank, and push, all made by one caller. */
final class OwnedThings {

    static final String MEMBER_SECRET = "Madcast-Member-Secret";
    static final String LEASE_SECRET = "Madcast-Lease-Secret";

    final String job = RunningService.newJob();
    final String key = "key-" + job;
    final UUID instance = UUID.randomUUID();
    final UUID push = UUID.randomUUID();
    final String lease;
    final String leaseSecret;
    final String communicator;
    final String wireToken;
    final String memberSecret;

    private final Rest rest;

    OwnedThings(Rest rest, String... owner) {
        this.rest = rest;
        Rest.Answer granted = grant(owner);
        lease = granted.string("id");
        leaseSecret = granted.string("secret");
        Rest.Answer made = make("", owner);
        communicator = made.string("id");
        wireToken = made.string("token");
        memberSecret = join(0, instance, owner).string("memberSecret");
        make("\"parent\":\"%s\",".formatted(communicator), owner);
        push(1, owner);
    }

    /** Asks for the lease with its idempotency key. */
    Rest.Answer grant(String... by) {
        String[] headers = headers(by, "Idempotency-Key", key);
        return rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job), headers);
    }

    Rest.Answer renewLease(String... by) {
        return rest.post(
                "/v1/leases/" + lease + "/renewal",
                "{\"durationSeconds\":7200}",
                headers(by, LEASE_SECRET, leaseSecret));
    }

    Rest.Answer releaseLease(String... by) {
        return rest.delete("/v1/leases/" + lease, headers(by, LEASE_SECRET, leaseSecret));
    }

    /** Makes or finds the communicator, with these fields more. */
    Rest.Answer make(String more, String... by) {
        return rest.post(
                "/v1/communicators",
                "{%s\"job\":\"%s\",\"name\":\"world\",\"size\":2}".formatted(more, job),
                by);
    }

    Rest.Answer join(int rank, UUID process, String... by) {
        return rest.put(
                member(rank),
                """
                {"address":"10.77.0.%d","port":40001,"host":"h%d","pid":7,
                 "receiveBufferBytes":4194304,"datagramBytes":1472,"instance":"%s"}
                """
                        .formatted(rank + 1, rank, process),
                by);
    }

    Rest.Answer renewMember(String... by) {
        return rest.post(member(0) + "/renewal", "{}", headers(by, MEMBER_SECRET, memberSecret));
    }

    Rest.Answer leave(String... by) {
        return rest.delete(member(0), headers(by, MEMBER_SECRET, memberSecret));
    }

    Rest.Answer report(String... by) {
        return rest.post("/v1/reports", report(), headers(by, MEMBER_SECRET, memberSecret));
    }

    Rest.Answer relay(String... by) {
        return rest.post(
                member(0) + "/reports",
                "{\"instance\":\"%s\",\"reports\":[%s]}".formatted(instance, report()),
                headers(by, MEMBER_SECRET, memberSecret));
    }

    Rest.Answer push(int sequence, String... by) {
        return rest.post(
                "/v1/pushes",
                """
                {"id":"%s","sequence":%d,"sender":"h0","destination":"/srv","state":"RUNNING",
                 "files":3,"bytes":9,"doneBytes":1,"streamBytes":1,"rounds":1,"nodes":[]}
                """
                        .formatted(push, sequence),
                by);
    }

    /** All of it that can be looked at, as this caller sees it. */
    String seenBy(String... by) {
        String communicatorPath = "/v1/communicators/" + communicator;
        return rest.get("/v1/leases/" + lease, by).text()
                + rest.get(communicatorPath, by).text()
                + rest.get(communicatorPath + "/statistics", by).text()
                + rest.get("/v1/pushes/" + push, by).text();
    }

    private String member(int rank) {
        return "/v1/communicators/" + communicator + "/members/" + rank;
    }

    private String report() {
        return """
        {"communicatorId":"%s","instance":"%s","rank":0,"sequence":1,
         "counters":{"broadcasts":3},"broadcasts":[]}
        """
                .formatted(communicator, instance);
    }

    private static String[] headers(String[] by, String name, String value) {
        String[] all = java.util.Arrays.copyOf(by, by.length + 2);
        all[by.length] = name;
        all[by.length + 1] = value;
        return all;
    }
}
