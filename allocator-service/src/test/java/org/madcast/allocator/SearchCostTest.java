package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.allocator.lease.LeaseQueries;
import org.madcast.allocator.scope.Filling;
import org.madcast.allocator.store.RetryingTransaction;

/** Lists and searches read what they show, by indexes, however many leases there are. */
class SearchCostTest {

    private final RunningService service = RunningService.shared();

    /** How the database would run a statement, if it could avoid to read whole tables. */
    private String plan(String statement) {
        return service.part(RetryingTransaction.class)
                .call(() -> {
                    service.jdbc().sql("set local enable_seqscan = off").update();
                    List<String> lines =
                            service.jdbc().sql("explain " + statement).query(String.class).list();
                    return String.join("\n", lines);
                });
    }

    /** The same, with the indexes of its choice only, and not one that it reads whole. */
    private String planByParts(String statement) {
        return service.part(RetryingTransaction.class)
                .call(() -> {
                    service.jdbc().sql("set local enable_seqscan = off").update();
                    service.jdbc().sql("set local enable_indexscan = off").update();
                    service.jdbc().sql("set local enable_indexonlyscan = off").update();
                    return String.join(
                            "\n",
                            service.jdbc().sql("explain " + statement).query(String.class).list());
                });
    }

    /** The page of leases for these words, as its statements are sent: its rows, and how many. */
    private List<String> sentFor(String words) {
        return SentStatements.with(
                        "from lease l",
                        () ->
                                assertThat(service.rest().get("/leases?q=" + words).status())
                                        .isEqualTo(200))
                .stream()
                .filter(it -> it.contains(" limit 1000)"))
                .toList();
    }

    private static String filled(String statement, Map<String, String> values) {
        String filled = statement.replace("limit ? offset ?", "limit 50 offset 0");
        for (Map.Entry<String, String> each : values.entrySet()) {
            filled = filled.replace(each.getKey(), each.getValue());
        }
        assertThat(filled).doesNotContain("?");
        return filled;
    }

    @ParameterizedTest
    @CsvSource({
        "239.192.17.4, 239.192.17.4, 239.192.17.4",
        "239.192.17.4:5000, 239.192.17.4, 239.192.17.4",
        "239.192.1, 239.192.1.0, 239.192.1.255",
        "239.192.17., 239.192.17.0, 239.192.17.255",
        "ff18::8000:1, ff18::8000:1, ff18::8000:1"
    })
    void anAddressIsFoundByTheIndexesOfAddresses(String words, String first, String last) {
        List<String> sent = sentFor(words);
        assertThat(sent).as("the page and its total").hasSize(2);
        for (String statement : sent) {
            String filled =
                    filled(
                            statement
                                    .replace("between ?::inet and ?::inet", between(first, last))
                                    .replace(
                                            "ethernet_key_of(?::inet) and ethernet_key_of(?::inet)",
                                            "ethernet_key_of('%s'::inet) and ethernet_key_of('%s'::inet)"
                                                    .formatted(first, last)),
                            Map.of("like ?", "like '%'"));
            assertThat(plan(filled)).doesNotContain("Seq Scan on lease");
            assertThat(planByParts(filled))
                    .contains("lease_group_history")
                    .contains("one_lease_per_group");
        }
    }

    private static String between(String first, String last) {
        return "between '%s'::inet and '%s'::inet".formatted(first, last);
    }

    @ParameterizedTest
    @CsvSource({"weather, %weather%", "ab, ab%", "5e1f, %5e1f%"})
    void partsOfNamesAreFoundByTheirTrigrams(String words, String like) {
        List<String> sent = sentFor(words);
        assertThat(sent).as("the page and its total").hasSize(2);
        for (String statement : sent) {
            assertThat(statement)
                    .as("an address")
                    .doesNotContain("lease_group g\n    where g.settled");
            String filled =
                    filled(
                            statement,
                            Map.of(
                                    "ilike ?",
                                    "ilike '" + like + "'",
                                    "between ?::uuid and ?::uuid",
                                    "between '5e1f0000-0000-0000-0000-000000000000'::uuid"
                                            + " and '5e1fffff-ffff-ffff-ffff-ffffffffffff'::uuid"));
            assertThat(planByParts(filled))
                    .contains("lease_by_part_of_name")
                    .contains("communicator_by_part_of_name")
                    .doesNotContain("Seq Scan");
        }
    }

    @Test
    void jobsAreFoundByTheTrigramsOfTheirNames() {
        List<String> sent =
                SentStatements.with(
                        "from communicator",
                        () ->
                                assertThat(service.rest().get("/jobs?q=weather").status())
                                        .isEqualTo(200));
        List<String> search = sent.stream().filter(it -> it.contains("ilike")).toList();
        assertThat(search).hasSize(1);
        String filled =
                search.getFirst()
                        .replace("ilike ?", "ilike '%weather%'")
                        .replace("limit ?", "limit 101");
        assertThat(planByParts(filled))
                .contains("communicator_by_part_of_name")
                .doesNotContain("Seq Scan");
    }

    @Test
    void partsOfNamesNumbersAndAddressesAreFound() {
        Rest rest = service.rest();
        String job = "Weather-" + RunningService.newJob();
        String scope = service.addScope(4, 0);
        Rest.Answer lease =
                rest.post(
                        "/v1/leases",
                        "{\"job\":\"%s\",\"user\":\"u-%s\",\"scope\":\"%s\"}"
                                .formatted(job, job, scope));
        assertThat(lease.status()).as(lease.text()).isEqualTo(201);
        String id = lease.string("id");
        String address = lease.json().at("/groups/0/address").asString();
        String port = lease.json().at("/groups/0/port").asString();
        for (String words :
                List.of(
                        job.toLowerCase(Locale.ROOT).substring(2, 30),
                        "u-" + job,
                        id,
                        id.substring(0, 25),
                        id.toUpperCase(Locale.ROOT),
                        address,
                        address + ":" + port,
                        address.substring(0, address.lastIndexOf('.')),
                        address.substring(0, address.lastIndexOf('.') + 1))) {
            assertThat(rest.get("/leases?scope=" + scope + "&q=" + words).text())
                    .as(words)
                    .contains("/leases/" + id);
        }
        for (String words :
                List.of(
                        job + "x",
                        id.replace(id.charAt(35), id.charAt(35) == 'a' ? 'b' : 'a'),
                        address + ":1",
                        address + "9",
                        address.replaceFirst("\\.(\\d+)$", "$1"),
                        "239.121.1")) {
            assertThat(rest.get("/leases?scope=" + scope + "&q=" + words).text())
                    .as(words)
                    .doesNotContain("/leases/" + id);
        }
    }

    @Test
    void theLeasesOfAJobAreFoundByItsIndex() {
        LeaseQueries queries = service.part(LeaseQueries.class);
        List<String> sent =
                SentStatements.of(
                        () -> queries.list(new LeaseQueries.Filter("weather", null, null), 0, 50));
        assertThat(sent).as("the page and its total").hasSize(2);
        for (String statement : sent) {
            String filled =
                    statement
                            .replace("l.job = ?", "l.job = 'weather'")
                            .replace("limit ? offset ?", "limit 50 offset 0");
            assertThat(plan(filled)).contains("lease_by_job");
        }
    }

    @Test
    void allScopesAreCountedByOneStatement() {
        List<String> sent = SentStatements.of(() -> service.part(Filling.Counter.class).filling());
        assertThat(sent).hasSize(1);
    }
}
