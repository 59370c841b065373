package org.madcast.allocator.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What was done, by whom and from where. */
@RestController
class AuditController {

    private static final int SIZE = 50;

    private final AuditQueries audit;

    AuditController(AuditQueries audit) {
        this.audit = audit;
    }

    /**
     * What is looked for; what is left out means any.
     *
     * @param what a kind, such as lease.granted, or all kinds that begin like lease
     * @param who the token's name
     * @param address from where: an address, or a network such as 10.0.0.0/8
     * @param group what concerns the leases of this multicast address, such as 239.192.17.4 or, of
     *     one port, 239.192.17.4:5000
     * @param at with a group: the leases that had it at this time
     * @param from not before
     * @param to before
     * @param lease what concerns this lease
     * @param subject what was done to this job, scope or token
     * @param before entries with lower numbers: the next page
     * @param size how many at most, 50 unless it says so
     */
    record Query(
            @Nullable @Pattern(regexp = "[a-z]+([.-][a-z]+)*") String what,
            @Nullable @Size(max = Limits.NAME_LENGTH) String who,
            @Nullable @Size(max = 64) String address,
            @Nullable @Size(max = 64) String group,
            @Nullable Instant at,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable UUID lease,
            @Nullable @Size(max = Limits.NAME_LENGTH) String subject,
            @Nullable @Min(1) Long before,
            @Nullable @Min(1) @Max(Limits.PAGE_SIZE) Integer size) {}

    /** An entry. */
    @Schema(name = "AuditEntry")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            @Schema(example = "4711") long id,
            Instant at,
            @Schema(example = "lease.granted") String what,
            @Schema(example = "slurm") String who,
            @Schema(example = "job") String role,
            @Nullable @Schema(example = "10.0.0.7") String address,
            @Nullable @Schema(example = "6f1d2c3b4a596877") String requestId,
            @Schema(example = "render-17") String subject,
            @Nullable UUID lease,
            Map<String, Object> detail) {

        static View of(AuditQueries.Entry entry) {
            return new View(
                    entry.id(),
                    entry.at(),
                    entry.what(),
                    entry.who(),
                    entry.role(),
                    entry.address(),
                    entry.requestId(),
                    entry.subject(),
                    entry.lease(),
                    entry.detail());
        }
    }

    /**
     * Some entries, the latest first.
     *
     * @param next what {@code before} of the next page is; null on the last one
     */
    @Schema(name = "AuditEntries")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Views(List<View> items, @Nullable Long next) {}

    @Operation(
            summary = "List what was done, by whom and from where, the latest first",
            description =
                    "With group and at: what concerns the leases that had the group at that time."
                            + " A kind without a dot, such as lease, stands for all of its kinds.")
    @GetMapping(path = "/v1/audit", produces = MediaType.APPLICATION_JSON_VALUE)
    Views list(@Valid @ParameterObject Query query) {
        if (query.at() != null && query.group() == null) {
            throw Problem.invalid("at", "goes with a group");
        }
        int size = query.size() == null ? SIZE : query.size();
        AuditQueries.Filter filter =
                new AuditQueries.Filter(
                        query.what(),
                        query.who(),
                        read("address", query.address(), AuditSearch::network),
                        read("group", query.group(), AuditSearch::group),
                        query.at(),
                        query.from(),
                        query.to(),
                        query.lease(),
                        query.subject(),
                        query.before());
        List<View> items = audit.find(filter, size).stream().map(View::of).toList();
        return new Views(items, items.size() < size ? null : items.getLast().id());
    }

    private static <T> @Nullable T read(
            String field, @Nullable String text, Function<@Nullable String, @Nullable T> reading) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw Problem.invalid(field, String.valueOf(wrong.getMessage()));
        }
    }
}
