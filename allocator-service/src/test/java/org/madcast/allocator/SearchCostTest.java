package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
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

    @Test
    void anAddressIsFoundByTheIndexesOfAddresses() {
        Rest rest = service.rest();
        Rest.Answer lease =
                rest.post("/v1/leases", "{\"job\":\"" + RunningService.newJob() + "\"}");
        String address = lease.json().at("/groups/0/address").asString();
        List<String> sent =
                SentStatements.with(
                        "ethernet_key_of(g.address)",
                        () ->
                                assertThat(rest.get("/leases?q=" + address).text())
                                        .contains(lease.string("id")));
        assertThat(sent).as("the page and its total").hasSize(2);
        for (String statement : sent) {
            String filled =
                    statement
                            .replace("?::inet", "'" + address + "'::inet")
                            .replace("like ?", "like '%" + address + "%'")
                            .replace("limit ? offset ?", "limit 50 offset 0");
            assertThat(plan(filled)).doesNotContain("Seq Scan on lease");
        }
    }

    @Test
    void whatCannotBeAnAddressIsNotLookedForAmongAddresses() {
        Rest rest = service.rest();
        List<String> sent = SentStatements.with("l.job ilike", () -> rest.get("/leases?q=weather"));
        assertThat(sent).hasSize(2).noneMatch(it -> it.contains(" in (select"));
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
