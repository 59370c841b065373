package org.madcast.allocator.statistics;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.MemberSecret;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Reports in, advice out. Most reports are taken by {@link ReportFilter} already. */
@RestController
class ReportController {

    static final String PATH = "/v1/reports";
    static final String RELAYED_PATH = "/v1/communicators/{id}/members/{rank}/reports";

    private final StatisticsService statistics;

    ReportController(StatisticsService statistics) {
        this.statistics = statistics;
    }

    /** What a rank reports; its secret comes here or in a header. */
    record Body(
            @NotNull UUID communicatorId,
            @NotNull @Min(0) @Max(Limits.RANKS) Integer rank,
            @Nullable @Size(max = Limits.NAME_LENGTH) String memberSecret,
            @NotNull UUID instance,
            @NotNull @PositiveOrZero Long sequence,
            @NotNull @Valid Counters counters,
            @Nullable @Size(max = Limits.REASONS)
                    Map<
                                    @NotBlank @Size(max = Limits.LABEL_KEY_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                                    String,
                                    @NotNull @PositiveOrZero @Max(Counters.MOST) Long>
                            rejected,
            @Nullable
                    @Size(max = Limits.LABEL_KEY_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String socketPath,
            @PositiveOrZero @Max(Counters.MOST) long dropped,
            @Nullable @Size(max = Limits.SITES) List<@Valid @NotNull BroadcastSite> broadcasts,
            @Nullable @Size(max = Limits.FOREIGN_SENDERS)
                    List<@NotNull @Pattern(regexp = Limits.ENDPOINT) String> foreignSenders) {

        Report toReport() {
            return new Report(
                    communicatorId,
                    rank,
                    instance,
                    sequence,
                    counters,
                    rejected == null ? Map.of() : rejected,
                    socketPath,
                    dropped,
                    broadcasts == null ? List.of() : broadcasts,
                    foreignSenders == null ? List.of() : foreignSenders);
        }
    }

    /**
     * What the service advises.
     *
     * @param rootDelayMicros how long a root should wait before it sends, where no site says other
     * @param sites the sites that have advice of their own
     */
    record Advice(long rootDelayMicros, List<SiteAdvice> sites) {}

    /**
     * What the root of a site's broadcasts is advised.
     *
     * @param site the size class and, behind a space, the label if there is one
     */
    record SiteAdvice(String site, long rootDelayMicros) {}

    /**
     * What one rank passes on for several.
     *
     * @param instance the process of the rank that passes them on
     * @param reports of ranks of its communicator, perhaps its own among them
     */
    record Relayed(
            @NotNull UUID instance,
            @NotNull @Size(min = 1, max = Limits.RELAYED_REPORTS)
                    List<@Valid @NotNull Body> reports) {}

    @Operation(summary = "Report a rank's statistics and get advice")
    @Refuses(ProblemType.NO_SUCH_MEMBER)
    @PostMapping(PATH)
    Advice accept(
            @RequestHeader(name = MemberSecret.HEADER, required = false) @Nullable String secret,
            @Valid @RequestBody Body body) {
        String shown =
                secret == null ? Objects.requireNonNullElse(body.memberSecret(), "") : secret;
        Report report = body.toReport();
        return advice(
                statistics
                        .accept(report.speaker(shown), List.of(report))
                        .orElseThrow(MemberSecret::noSuchMember));
    }

    /**
     * A rank's secret stands for all of the communicator's: who takes part in a job may say
     * anything about it anyway. So thousands of ranks need not each keep a connection.
     */
    @Operation(summary = "Report the statistics of several ranks of one communicator")
    @Refuses({ProblemType.NO_SUCH_MEMBER, ProblemType.INVALID_REQUEST})
    @PostMapping(RELAYED_PATH)
    Advice acceptRelayed(
            @PathVariable UUID id,
            @PathVariable int rank,
            @RequestHeader(name = MemberSecret.HEADER, required = false) @Nullable String secret,
            @Valid @RequestBody Relayed body) {
        if (!body.reports().stream().allMatch(it -> it.communicatorId().equals(id))) {
            throw new Problem(
                    ProblemType.INVALID_REQUEST, "All reports must be of the path's communicator.");
        }
        Reporter speaker =
                new Reporter(id, rank, body.instance(), Objects.requireNonNullElse(secret, ""));
        return advice(
                statistics
                        .accept(speaker, body.reports().stream().map(Body::toReport).toList())
                        .orElseThrow(MemberSecret::noSuchMember));
    }

    /** What is answered to a report. */
    static Advice advice(List<RootDelays.Advice> advice) {
        return new Advice(
                0, advice.stream().map(it -> new SiteAdvice(it.site(), it.micros())).toList());
    }
}
