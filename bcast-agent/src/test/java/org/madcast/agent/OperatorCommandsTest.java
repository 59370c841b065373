package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators' commands ask a service, and what they print of its answers. */
class OperatorCommandsTest {

    private static final String SCOPE =
            """
            {"name":"blue","description":"d","ranges":["239.195.0.0/16"],"ports":"5000-5999 by 2",
             "ttl":4,"capacity":65536,"leased":3,"quarantined":1,"reserved":0,
             "rules":{"excluded":["239.195.7.1"],"ports":{"first":5000,"last":5999,"step":2},
              "sharing":{"segment":"default","addressesByPort":false},"allowUnscoped":false,
              "picker":"permutation","quarantineSeconds":60,"longestLeaseSeconds":604800,
              "quota":{"groupsPerJob":8},"closed":true,"closedAt":"2026-03-03T14:00:00Z"}}
            """;

    @TempDir private Path directory;
    @AutoClose private final AnsweringService service = new AnsweringService();

    @Test
    void theAuditIsAskedAsItIsMeantAndFitsEightyColumns() throws Exception {
        service.answer =
                """
                {"items":[{"id":7,"at":"2026-03-03T13:59:08.123Z","what":"lease.released",
                 "who":"a-token-with-a-name-that-is-long","role":"operator","address":"10.0.0.7",
                 "subject":"render-17-of-the-day-before-yesterday","lease":"l",
                 "detail":{"scope":"default","groups":["239.192.17.4:5000"]}}],"next":7}
                """;
        Outcome table = service.ask("audit --group 239.192.17.4 --at 2026-03-03T14:00 --size 1");
        assertThat(service.asked)
                .containsExactly(
                        "GET /v1/audit?group=239.192.17.4&at=2026-03-03T14%3A00%3A00Z&size=1");
        assertThat(table.code()).isZero();
        assertThat(table.out())
                .contains("2026-03-03 13:59:08", "lease.released", "older ones with --before 7");
        assertThat(table.out().lines()).allSatisfy(it -> assertThat(it).hasSizeLessThan(81));
        assertThat(service.ask("audit --long").out())
                .contains("a-token-with-a-name-that-is-long (operator) from 10.0.0.7")
                .contains("239.192.17.4:5000");
        assertThat(JsonParser.object().from(service.ask("audit --json").out()).getLong("next"))
                .isEqualTo(7);
        Outcome wrong = service.ask("audit --at noon");
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(wrong.err()).contains("'noon' is not a time; write 2026-03-03T14:00");
        service.answer = "{\"items\":[]}";
        assertThat(service.ask("audit --at 2026-03-03T15:00+01:00 --group 239.1.1.1").out())
                .isEqualTo("nothing that was recorded is like that\n");
        assertThat(service.asked.getLast()).contains("at=2026-03-03T14%3A00%3A00Z");
    }

    @Test
    void scopesAreListedAndShown() {
        service.answer = "{\"items\":[" + SCOPE + "]}";
        Outcome list = service.ask("scope list");
        assertThat(list.out()).contains("blue", "65536", "closed", "239.195.0.0/16");
        assertThat(list.out().lines()).allSatisfy(it -> assertThat(it).hasSizeLessThan(81));
        service.answer = SCOPE;
        assertThat(service.ask("scope show blue").out())
                .contains("quarantineSeconds    60", "first 5000", "239.195.7.1");
    }

    /** What is not named stays: the service replaces all of a scope. */
    @Test
    void aChangeLeavesWhatItDoesNotName() throws Exception {
        service.answer = SCOPE;
        Outcome changed =
                service.ask(
                        "scope change blue --open --quarantine 5m --groups-per-job 0 --by-port");
        assertThat(changed.code()).as(changed.err()).isZero();
        assertThat(service.asked).containsExactly("GET /v1/scopes/blue", "PUT /v1/scopes/blue");
        assertThat(JsonParser.object().from(service.body))
                .isEqualTo(
                        JsonParser.object()
                                .from(
                                        """
                                        {"description":"d","ranges":["239.195.0.0/16"],"ttl":4,
                                         "excluded":["239.195.7.1"],
                                         "ports":{"first":5000,"last":5999,"step":2},
                                         "sharing":{"segment":"default","addressesByPort":true},
                                         "allowUnscoped":false,"picker":"permutation",
                                         "quarantineSeconds":300,"longestLeaseSeconds":604800,
                                         "quota":{},"closed":false}
                                        """));
    }

    @Test
    void addressesAreExcludedAndTakenBack() throws Exception {
        service.answer = SCOPE;
        service.ask("scope exclude blue 239.195.8.0/28");
        assertThat(JsonParser.object().from(service.body).getArray("excluded"))
                .containsExactly("239.195.7.1", "239.195.8.0/28");
        service.ask("scope exclude blue 239.195.7.1 --undo");
        assertThat(JsonParser.object().from(service.body).getArray("excluded")).isEmpty();
        Outcome none = service.ask("scope exclude blue 239.1.1.1 --undo");
        assertThat(none.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(none.err()).contains("239.1.1.1 is not excluded from scope 'blue'");
    }

    @Test
    void wrongPropertiesAreSaidBeforeAnythingIsAsked() {
        assertThat(service.ask("scope add x --range 239.1.1.1 --port 5-").err())
                .contains("are no ports");
        assertThat(service.ask("scope add x --range 239.1.1.1 --quarantine soon").err())
                .contains("--quarantine: 'soon' is not a duration");
        assertThat(service.ask("scope change x --open --closed").err()).contains("only one of");
        assertThat(service.asked.stream().filter(it -> !it.startsWith("GET"))).isEmpty();
    }

    @Test
    void communicatorsAndNodesAreListed() {
        service.answer =
                """
                {"items":[{"id":"0198c0de-0000-7000-8000-00000000abcd","job":"render-17",
                 "name":"world","size":4,"present":3,"createdAt":"2026-03-03T13:59:08Z"}],
                 "page":0,"size":50,"total":1}
                """;
        Outcome list = service.ask("communicator list --job render-17");
        assertThat(service.asked.getLast())
                .isEqualTo("GET /v1/communicators?job=render-17&ended=false&page=0&size=50");
        assertThat(list.out()).contains("3 of 4", "living", "0198c0de-0000-7000-8000-00000000abcd");
        assertThat(list.out().lines()).allSatisfy(it -> assertThat(it).hasSizeLessThan(81));
        service.answer =
                """
                {"items":[{"heartbeat":{"name":"h1","address":"10.0.0.1","version":"0.1"},
                 "seenAt":"2026-03-03T13:59:08Z","silent":true}]}
                """;
        assertThat(service.ask("node list").out()).contains("h1", "silent", "10.0.0.1");
        service.answer = "";
        service.status = 204;
        assertThat(service.ask("communicator end 7").out()).isEqualTo("ended\n");
        assertThat(service.asked.getLast()).isEqualTo("DELETE /v1/communicators/7");
    }

    @Test
    void refusalsSayWhatToDo() {
        service.status = 403;
        service.answer =
                """
                {"type":"urn:madcast:problem:role-needed","title":"t","detail":"d."}
                """;
        for (String command :
                List.of(
                        "audit",
                        "scope remove x",
                        "webhook list",
                        "webhook set a http://b/",
                        "communicator end 7")) {
            Outcome refused = service.ask(command);
            assertThat(refused.code()).as(command).isEqualTo(ExitCode.SERVICE.code());
            assertThat(refused.err()).as(command).contains("MADCAST_TOKEN or --token");
            assertThat(refused.err().lines()).hasSize(1);
        }
        service.status = 409;
        service.answer =
                """
                {"type":"urn:madcast:problem:scope-in-use","title":"Groups of it are in use",
                 "detail":"Close it, and remove it when they are free."}
                """;
        assertThat(service.ask("scope remove x").err()).contains("Close it, and remove it when");
        service.status = 404;
        service.answer =
                """
                {"type":"urn:madcast:problem:no-such-scope","title":"t","scope":"x"}
                """;
        assertThat(service.ask("scope show x").err())
                .contains("there is no scope 'x'", "'madcast scope list'");
    }

    @Test
    void aTopologyIsPushedListedReadAndRemoved(@TempDir Path directory) throws Exception {
        String text =
                """
                switch s0
                switch s1
                cable s0 s1 20000000bit/s
                host a s0 1000000000bit/s
                host b s1 1000000000bit/s
                host c s1 100000000bit/s
                address b 10.0.0.2 fe80::1
                """;
        Path file = Files.writeString(directory.resolve("net"), text + "rank 0 b\n");
        Outcome pushed = service.ask("topology push cluster " + file);
        assertThat(pushed.out())
                .isEqualTo(
                        "keeps topology cluster: 2 switches, 3 hosts, without the file's ranks\n");
        assertThat(service.asked).containsExactly("PUT /v1/topologies/cluster");
        JsonObject sent = JsonParser.object().from(service.body);
        assertThat(sent.getArray("hosts").getObject(1).getArray("names")).containsExactly("b");
        service.answer = service.body;
        assertThat(service.ask("topology get cluster").out()).isEqualTo(text);

        service.answer =
                """
                {"items":[{"name":"cluster","switches":2,"hosts":3,"madeBy":"ada",
                 "madeAt":"2026-03-03T13:59:08.123Z"}]}
                """;
        assertThat(service.ask("topology list").out())
                .contains("cluster", "2", "3", "2026-03-03 13:59:08", "ada");
        service.answer = "";
        assertThat(service.ask("topology remove cluster").out())
                .isEqualTo("removed topology cluster\n");
        assertThat(service.asked).last().isEqualTo("DELETE /v1/topologies/cluster");

        Files.writeString(file, text + "host d s7\n");
        Outcome wrong = service.ask("topology push cluster " + file);
        assertThat(wrong.code()).isEqualTo(3);
        assertThat(wrong.err()).contains(file + ", line 8: a cable leads to 's7'");
    }

    @Test
    void groupsAreReservedListedAndRemoved() throws Exception {
        service.answer =
                """
                {"reservations":[
                 {"id":"r1","scope":"default","address":"239.192.7.1","port":5000,"job":"weather",
                  "user":"ada","until":"2027-03-31T00:00:00Z","lease":"l1"},
                 {"id":"r2","scope":"six","address":"ff18::8000:1","token":"slurm"}]}
                """;
        Outcome list = service.ask("reservation list");
        assertThat(list.code()).isZero();
        assertThat(list.out())
                .contains("239.192.7.1:5000", "job weather, user ada", "2027-03-31T00:00:00Z")
                .contains("ff18::8000:1", "token slurm", "removed");
        assertThat(list.out().lines()).allSatisfy(it -> assertThat(it).hasSizeLessThan(81));
        assertThat(service.ask("reservation remove 239.192.7.1:5000").out())
                .contains("removed 239");
        assertThat(service.asked).contains("DELETE /v1/reservations/r1");
        assertThat(service.ask("reservation remove 239.192.7.9").code()).isNotZero();

        service.answer = "{\"id\":\"r\",\"address\":\"ff18::8000:2\",\"port\":7}";
        Outcome added =
                service.ask(
                        "reservation add [ff18::8000:2]:7 --holder-token slurm --until 2027-03-31");
        assertThat(added.out()).contains("reserved [ff18::8000:2]:7");
        assertThat(service.body)
                .contains("\"address\":\"ff18::8000:2\"", "\"port\":7", "\"token\":\"slurm\"")
                .contains("\"until\":\"2027-03-31T00:00:00Z\"");
        assertThat(service.ask("reservation add ff18::8000:2").err()).contains("say for whom");
    }

    @Test
    void aTableIsToldFromAState() throws Exception {
        Path table = Files.writeString(directory.resolve("t.csv"), "address,job\n239.192.7.1,j\n");
        Path state = Files.writeString(directory.resolve("s.jsonl"), "{\"madcast\":\"state\"}\n");
        service.answer =
                "{\"dryRun\":true,\"rows\":1,\"reservations\":[{\"address\":\"a\",\"job\":\"j\"}]}";
        Outcome tried = service.ask("import " + table + " --dry-run");
        assertThat(tried.out()).contains("nothing is wrong, nothing was changed: 1 reservations");
        assertThat(service.body).contains("239.192.7.1,j");
        service.answer =
                """
                {"rows":1,"leases":[{"id":"l","secret":"s3","job":"j",
                 "expiresAt":"2027-03-31T00:00:00Z","groups":[{"address":"239.1.1.1","port":5}]}]}
                """;
        assertThat(service.ask("import " + table + " --as leases").out())
                .contains("239.1.1.1:5", "s3");
        service.answer = "{\"rows\":{\"lease\":3}}";
        assertThat(service.ask("import " + state).out()).contains("lease", "3");
        assertThat(service.asked)
                .containsExactly(
                        "POST /v1/import?dryRun=true&as=RESERVATIONS",
                        "POST /v1/import?dryRun=false&as=LEASES",
                        "PUT /v1/state");
        assertThat(service.ask("import " + state + " --dry-run").code()).isNotZero();
    }
}
