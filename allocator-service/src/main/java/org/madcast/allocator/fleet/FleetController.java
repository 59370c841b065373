package org.madcast.allocator.fleet;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.madcast.allocator.web.Requester;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Agents tell that they are there, how pushes go, and what probes saw. */
@RestController
class FleetController {

    private static final int MOST = 1000;

    private final FleetService fleet;

    FleetController(FleetService fleet) {
        this.fleet = fleet;
    }

    /** The agents that were heard of in the last day. */
    record Nodes(List<FleetService.Node> items) {}

    /** A push with its times. */
    record Push(PushUpdate push, Instant startedAt, Instant updatedAt, boolean silent) {}

    /** A probe with its time. */
    record Probe(ProbeResult probe, Instant at) {}

    @Operation(summary = "Say that an agent is there, or that it leaves")
    @PostMapping("/v1/nodes")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void heartbeat(@Valid @RequestBody Heartbeat body) {
        fleet.heard(body);
    }

    @Operation(
            summary = "List the agents by name, a thousand at most",
            description = "The next thousand are those after the last one's name.")
    @GetMapping("/v1/nodes")
    Nodes nodes(@RequestParam(defaultValue = "") @Size(max = 255) String after) {
        return new Nodes(fleet.nodes(after, MOST));
    }

    @Operation(summary = "Say how far a push is")
    @Refuses(ProblemType.FOREIGN_OWNER)
    @PostMapping("/v1/pushes")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void push(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @Valid @RequestBody PushUpdate body) {
        if (!fleet.heard(by, body)) {
            throw Requester.foreign();
        }
    }

    @Operation(summary = "Get how far a push is")
    @Refuses(ProblemType.NOT_FOUND)
    @GetMapping("/v1/pushes/{id}")
    Push push(@PathVariable UUID id) {
        return fleet.push(id)
                .map(it -> new Push(it.update(), it.startedAt(), it.updatedAt(), it.silent()))
                .orElseThrow(
                        () -> new Problem(ProblemType.NOT_FOUND, "No such push was reported."));
    }

    @Operation(summary = "Say what a probe saw")
    @PostMapping("/v1/probes")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void probe(@Valid @RequestBody ProbeResult body) {
        fleet.heard(body);
    }

    @Operation(summary = "Get what a probe saw")
    @Refuses(ProblemType.NOT_FOUND)
    @GetMapping("/v1/probes/{id}")
    Probe probe(@PathVariable UUID id) {
        return fleet.probe(id)
                .map(it -> new Probe(it.result(), it.at()))
                .orElseThrow(
                        () -> new Problem(ProblemType.NOT_FOUND, "No such probe was reported."));
    }
}
