package org.madcast.allocator.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Groups that an operator keeps for owners, one by one or from a table. */
@RestController
class ReservationController {

    private static final String CSV = "text/csv";

    private final Reservations reservations;
    private final LeaseTable table;

    ReservationController(Reservations reservations, LeaseTable table) {
        this.reservations = reservations;
        this.table = table;
    }

    /**
     * What is asked for.
     *
     * @param address a multicast address, IPv4 or IPv6
     * @param port the port; without one the address is reserved on all of its ports
     * @param scope the scope; without one the smallest that has the address
     * @param job for this job
     * @param user for the jobs of this user
     * @param token for what requests it with the token of this name
     * @param until when it ends; it does not, without one
     */
    @Schema(name = "ReservationWish")
    record Wish(
            @NotBlank @Size(max = Limits.NAME_LENGTH) String address,
            @Nullable @Min(1) @Max(65_535) Integer port,
            @Nullable @Size(min = 1, max = Limits.LABEL_KEY_LENGTH) String scope,
            @Nullable
                    @Size(min = 1, max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String job,
            @Nullable
                    @Size(min = 1, max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String user,
            @Nullable @Size(min = 1, max = Limits.LABEL_KEY_LENGTH) String token,
            @Nullable @Future Instant until) {

        Reservations.Wanted wanted() {
            return new Reservations.Wanted(
                    0, address, port, scope, new Reservation.Holder(job, user, token), until);
        }
    }

    /**
     * A reservation.
     *
     * @param lease the lease that its owner has of it now
     */
    @Schema(name = "Reservation")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            UUID id,
            String scope,
            String address,
            @Nullable Integer port,
            @Nullable String job,
            @Nullable String user,
            @Nullable String token,
            @Nullable Instant until,
            Instant madeAt,
            String madeBy,
            @Nullable UUID lease) {

        static View of(Reservation it) {
            return new View(
                    it.id(),
                    it.scope(),
                    it.address(),
                    it.port(),
                    it.holder().job(),
                    it.holder().user(),
                    it.holder().token(),
                    it.end(),
                    it.made().at(),
                    it.made().by(),
                    it.lease());
        }
    }

    /** All of them. */
    @Schema(name = "Reservations")
    record Views(List<View> reservations) {}

    /** What came of a table: the leases with their secrets, which are told once. */
    @Schema(name = "ImportedTable")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Imported(
            boolean dryRun,
            int rows,
            @Nullable List<View> reservations,
            @Nullable List<LeaseBodies.View> leases) {}

    /** What the rows of a table become. */
    enum Kind {
        RESERVATIONS,
        LEASES
    }

    @Operation(summary = "List the reservations, by address")
    @GetMapping(path = "/v1/reservations", produces = MediaType.APPLICATION_JSON_VALUE)
    Views list() {
        return new Views(reservations.all().stream().map(View::of).toList());
    }

    @Operation(
            summary = "Keep a group for a job, a user or a token",
            description =
                    "No other caller is granted it, by REST or MADCAP; its owner gets it first. When"
                            + " several of job, user and token are named, a request must have all of"
                            + " them.")
    @Refuses(ProblemType.CONFLICT)
    @PostMapping(path = "/v1/reservations", produces = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    View add(@Valid @RequestBody Wish wish) {
        return View.of(reservations.reserve(List.of(wish.wanted()), false).getFirst());
    }

    @Operation(
            summary = "Remove a reservation",
            description = "A lease that its owner has of the group goes on.")
    @Refuses(ProblemType.NO_SUCH_RESERVATION)
    @DeleteMapping(path = "/v1/reservations/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable UUID id) {
        if (reservations.remove(id).isEmpty()) {
            throw new Problem(ProblemType.NO_SUCH_RESERVATION, "It was removed, or has ended.");
        }
    }

    @Operation(
            summary = "Make reservations, or leases, of a table's rows: all of them or none",
            description =
                    "A table with the header address,port,job,until (port, job, until, user, token"
                            + " and scope may be left out), or a lease file of ISC Kea.",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = CSV,
                                            schema = @Schema(type = "string"),
                                            examples =
                                                    @ExampleObject(
                                                            """
                                                            address,port,job
                                                            239.192.17.4,5000,render
                                                            """))))
    @Refuses(ProblemType.CONFLICT)
    @PostMapping(path = "/v1/import", consumes = CSV, produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Imported> read(
            @RequestParam(defaultValue = "RESERVATIONS") Kind as,
            @RequestParam(defaultValue = "false") boolean dryRun,
            HttpServletRequest request)
            throws IOException {
        List<Reservations.Wanted> rows = table.read(request.getReader());
        Imported imported =
                as == Kind.RESERVATIONS
                        ? new Imported(
                                dryRun,
                                rows.size(),
                                reservations.reserve(rows, dryRun).stream().map(View::of).toList(),
                                null)
                        : new Imported(
                                dryRun,
                                rows.size(),
                                null,
                                reservations.lease(rows, dryRun).stream()
                                        .map(it ->
                                                LeaseBodies.View.of(
                                                        it.lease(), dryRun ? null : it.secret()))
                                        .toList());
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(imported);
    }
}
