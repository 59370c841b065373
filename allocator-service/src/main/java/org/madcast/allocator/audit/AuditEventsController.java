package org.madcast.allocator.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.OpenStreams;
import org.madcast.allocator.web.Problem;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What is recorded, as it happens. */
@RestController
class AuditEventsController {

    private final AuditEvents events;
    private final AuditTail tail;
    private final OpenStreams streams;

    AuditEventsController(AuditEvents events, AuditTail tail, OpenStreams streams) {
        this.events = events;
        this.tail = tail;
        this.streams = streams;
    }

    @Operation(
            summary = "Follow what is recorded, as server-sent events",
            description =
                    "Each event's data is the CloudEvent that a webhook gets, its id the entry's"
                            + " number. They come in the order of their numbers. With"
                            + " Last-Event-ID, or after, the stream begins after that entry, else"
                            + " with what is recorded from now on. It ends after ten minutes, for"
                            + " the client to open the next one.")
    @ApiResponse(
            responseCode = "200",
            description = "The stream",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(type = "string"),
                            examples =
                                    @ExampleObject(
                                            "id:4711\ndata:{\"specversion\":\"1.0\","
                                                    + "\"id\":\"4711\",\"source\":\"/v1/audit\","
                                                    + "\"type\":\"org.madcast.scope.changed\","
                                                    + "\"subject\":\"default\"}\n\n")))
    @GetMapping(path = "/v1/audit/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter follow(
            @Parameter(description = "The id of the last event that was received")
                    @RequestHeader(name = "Last-Event-ID", required = false)
                    @Nullable
                    @Min(0)
                    Long last,
            @Parameter(description = "The same, for clients that cannot send the header")
                    @RequestParam(required = false)
                    @Nullable
                    @Min(0)
                    Long after,
            @Parameter(
                            description =
                                    "A kind, such as lease.granted, or all kinds that begin like"
                                            + " lease; left out: all")
                    @RequestParam(required = false)
                    @Nullable String what,
            HttpServletRequest request) {
        List<String> kinds = what == null ? List.of() : AuditKind.like(what);
        if (what != null && kinds.isEmpty()) {
            throw Problem.invalid("what", "must be a kind, such as lease or lease.granted");
        }
        Long begin = last == null ? after : last;
        long position = begin == null ? tail.end() : begin;
        Runnable place = streams.take(request.getRemoteAddr(), Actor.current().name());
        return events.open(position, kinds, place);
    }
}
