package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** The list of leases, without a browser. */
class LeasesPageTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final String job = RunningService.newJob();

    /** As over REST: by their numbers, which an index has. */
    @Test
    void theLatestLeasesAreFirstByTheirNumbers() {
        Answer first = grant("");
        Answer second = grant("");
        service.jdbc()
                .sql("update lease set granted_at = now() + interval '1 hour' where id = ?::uuid")
                .param(first.string("id"))
                .update();
        String page = list("");
        assertThat(page.indexOf(second.string("id"))).isPositive();
        assertThat(page.indexOf(first.string("id")))
                .isGreaterThan(page.indexOf(second.string("id")));
    }

    @Test
    void aLeaseThatStartsLaterIsScheduled() {
        Answer now = grant("");
        Answer later = grant(",\"startsAt\":\"" + Instant.now().plusSeconds(3_650) + "\"");
        assertThat(list("scheduled"))
                .contains(later.string("id"))
                .contains(">scheduled</span>")
                .contains("in 1 h 0 min")
                .doesNotContain(now.string("id"))
                .contains("<option value=\"scheduled\" selected=\"selected\">scheduled</option>");
        assertThat(list("active")).contains(now.string("id")).doesNotContain(later.string("id"));
        assertThat(list("")).contains(now.string("id"), later.string("id"));
        String page = rest.get("/leases/" + later.string("id")).text();
        assertThat(page).contains(">scheduled</span>").contains("<dt>Starts</dt>");
        assertThat(page).contains("<dt>Expires</dt>").contains("id=\"release\"");
        assertThat(rest.get("/leases/" + now.string("id")).text())
                .doesNotContain("<dt>Starts</dt>");
    }

    private String list(String state) {
        Answer answer = rest.get("/leases?q=" + job + "&state=" + state);
        assertThat(answer.status()).isEqualTo(200);
        return answer.text();
    }

    private Answer grant(String more) {
        Answer answer = rest.post("/v1/leases", "{\"job\":\"" + job + "\"" + more + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }
}
