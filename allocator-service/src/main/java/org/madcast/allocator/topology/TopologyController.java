package org.madcast.allocator.topology;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Topologies: an operator puts them here, and ranks get them when they meet. */
@RestController
@RequestMapping(path = "/v1/topologies", produces = MediaType.APPLICATION_JSON_VALUE)
class TopologyController {

    static final String NAME = "[a-z0-9][a-z0-9._-]{0,62}";

    private final Topologies topologies;

    TopologyController(Topologies topologies) {
        this.topologies = topologies;
    }

    /** All of them, without their trees. */
    @Schema(name = "Topologies")
    record Views(List<KeptTopology> items) {}

    @Operation(summary = "List the topologies by name, without their trees")
    @GetMapping
    Views list() {
        return new Views(topologies.all());
    }

    @Operation(summary = "Get a topology's tree")
    @Refuses(ProblemType.NO_SUCH_TOPOLOGY)
    @GetMapping("/{name}")
    Tree get(@PathVariable @Pattern(regexp = NAME) String name) {
        return topologies.tree(name).orElseThrow(TopologyController::missing);
    }

    @Operation(
            summary = "Keep a topology under this name, in the place of one that had it",
            description =
                    "Ranks that meet from then on, all on its hosts, get it: of several that has them"
                            + " all, the one that was put last.")
    @ApiResponse(
            responseCode = "200",
            description = "It has another tree now",
            useReturnTypeSchema = true)
    @ApiResponse(responseCode = "201", description = "Made", useReturnTypeSchema = true)
    @PutMapping("/{name}")
    ResponseEntity<KeptTopology> put(
            @PathVariable @Pattern(regexp = NAME) String name, @Valid @RequestBody Tree tree) {
        boolean made = topologies.put(name, tree);
        return ResponseEntity.status(made ? HttpStatus.CREATED : HttpStatus.OK)
                .body(topologies.find(name).orElseThrow(TopologyController::missing));
    }

    @Operation(
            summary = "Remove a topology",
            description = "Ranks that have it keep it until they end.")
    @Refuses(ProblemType.NO_SUCH_TOPOLOGY)
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable @Pattern(regexp = NAME) String name) {
        if (!topologies.remove(name)) {
            throw missing();
        }
    }

    private static Problem missing() {
        return new Problem(ProblemType.NO_SUCH_TOPOLOGY, "It was never put, or was removed.");
    }
}
