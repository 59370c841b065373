package org.madcast.allocator.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The leases that had an address, to find the sender of unexpected datagrams. */
@RestController
class HistoryController {

    private final LeaseHistory history;

    HistoryController(LeaseHistory history) {
        this.history = history;
    }

    /** The leases of an address, the latest first. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record History(List<LeaseHistory.Entry> items) {}

    @Operation(summary = "List the leases that had an address, the latest first")
    @GetMapping("/v1/history")
    History get(
            @RequestParam @Size(min = 2, max = 64) String address,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant to,
            @RequestParam(defaultValue = "50") @Min(1) @Max(Limits.PAGE_SIZE) int size) {
        try {
            return new History(history.of(address, from, to, size));
        } catch (IllegalArgumentException wrong) {
            throw Problem.invalid("address", String.valueOf(wrong.getMessage()));
        }
    }
}
