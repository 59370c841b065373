package org.madcast.allocator.statistics;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Fields;
import org.madcast.allocator.web.MemberSecret;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.madcast.allocator.web.Requester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Accepts the ranks' reports, and answers what they sum up to. */
@RestController
class StatisticsController {

    private final StatisticsService statistics;

    StatisticsController(StatisticsService statistics) {
        this.statistics = statistics;
    }

    /**
     * The advice to the ranks.
     *
     * @param rootDelayMicros how long a root should wait before it sends, where no site says other
     * @param sites the sites that have advice of their own
     */
    record Advice(long rootDelayMicros, List<SiteAdvice> sites) {}

    /**
     * The advice to the root of a site's broadcasts.
     *
     * @param site the size class and, behind a space, the label if there is one
     */
    record SiteAdvice(String site, long rootDelayMicros) {}

    /**
     * Reports of several ranks of one communicator that one of them relays.
     *
     * @param instance the process of the rank that relays them
     * @param reports of any of the ranks, itself included
     */
    record Relayed(
            @NotNull UUID instance,
            @NotNull @Size(min = 1, max = MOST_REPORTS) List<Report> reports) {

        static final int MOST_REPORTS = 256;

        Relayed {
            Fields.required("instance", instance);
            reports = Fields.list("reports", reports, MOST_REPORTS);
            if (reports.isEmpty()) {
                throw Fields.invalid("reports", "size must be between 1 and " + MOST_REPORTS);
            }
        }
    }

    @Operation(summary = "Report a rank's statistics and get advice")
    @Refuses(ProblemType.NO_SUCH_MEMBER)
    @PostMapping("/v1/reports")
    Advice accept(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @RequestHeader(name = MemberSecret.HEADER, required = false) @Nullable String secret,
            @RequestBody Report report) {
        return advice(report.reporter(by, secret), List.of(report));
    }

    /**
     * The secret of one rank stands for all of the communicator: a member of a job may report
     * anything about it. So thousands of ranks need not each keep a connection.
     */
    @Operation(summary = "Report the statistics of several ranks of one communicator")
    @Refuses({ProblemType.NO_SUCH_MEMBER, ProblemType.INVALID_REQUEST})
    @PostMapping("/v1/communicators/{id}/members/{rank}/reports")
    Advice acceptRelayed(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @PathVariable UUID id,
            @PathVariable int rank,
            @RequestHeader(name = MemberSecret.HEADER, required = false) @Nullable String secret,
            @RequestBody Relayed body) {
        if (!body.reports().stream().allMatch(it -> it.communicatorId().equals(id))) {
            throw new Problem(
                    ProblemType.INVALID_REQUEST, "All reports must be of the path's communicator.");
        }
        return advice(
                new Reporter(by, id, rank, body.instance(), secret == null ? "" : secret),
                body.reports());
    }

    /** What a communicator's ranks did since it was made, by site. */
    record Statistics(List<Site> sites) {}

    /**
     * Broadcasts of a site by one algorithm.
     *
     * @param sizeClass the class of their sizes
     * @param label the program's name for them, empty if it has none
     * @param algorithm the algorithm
     * @param broadcasts how many, counted by each rank that completed them
     * @param bytes their bytes, counted the same way
     * @param times how long they took, in which phases, and how early and late ranks called
     */
    record Site(
            String sizeClass,
            String label,
            String algorithm,
            long broadcasts,
            long bytes,
            SiteTimes times) {

        static Site of(SiteKey key, SiteSums sums) {
            return new Site(
                    key.sizeClass(),
                    key.label(),
                    key.algorithm(),
                    sums.count(),
                    sums.bytes(),
                    SiteTimes.of(sums));
        }
    }

    @Operation(summary = "Get the times of a communicator's broadcasts: skew, phases, percentiles")
    @Refuses(ProblemType.NO_SUCH_COMMUNICATOR)
    @GetMapping("/v1/communicators/{id}/statistics")
    Statistics statistics(@PathVariable UUID id) {
        IntervalSums total =
                statistics
                        .find(id)
                        .orElseThrow(() ->
                                new Problem(
                                        ProblemType.NO_SUCH_COMMUNICATOR,
                                        "Nothing was reported of such a communicator."));
        return new Statistics(
                total.sites().entrySet().stream()
                        .map(it -> Site.of(it.getKey(), it.getValue()))
                        .toList());
    }

    private Advice advice(Reporter reporter, List<Report> reports) {
        List<RootDelays.Advice> sites =
                statistics.accept(reporter, reports).orElseThrow(MemberSecret::noSuchMember);
        return new Advice(
                0, sites.stream().map(it -> new SiteAdvice(it.site(), it.micros())).toList());
    }
}
