package org.madcast.allocator.state;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The whole state: an operator takes it away, and puts it into a new service. */
@RestController
class StateController {

    /** A row to a line. */
    static final String LINES = "application/x-ndjson";

    private final StateExport export;
    private final StateImport imports;

    StateController(StateExport export, StateImport imports) {
        this.export = export;
        this.imports = imports;
    }

    /** How many rows of each table were read. */
    @Schema(name = "ImportedState")
    record Imported(Map<String, Integer> rows) {}

    @Operation(
            summary = "Get the whole state as JSON lines",
            description =
                    "Scopes, leases, tokens, communicators, webhooks and what was recorded, as they"
                            + " are at one moment. Of tokens and leases it has hashes, of webhooks"
                            + " and communicators the secrets: keep it safe.")
    @ApiResponse(
            responseCode = "200",
            description = "A row to a line",
            content = @Content(mediaType = LINES, schema = @Schema(type = "string")))
    @GetMapping(path = "/v1/state", produces = LINES)
    void get(@RequestParam(defaultValue = "true") boolean audit, HttpServletResponse response)
            throws IOException {
        response.setContentType(LINES);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        OutputStream out = new BufferedOutputStream(response.getOutputStream());
        export.write(out, audit);
        out.flush();
    }

    @Operation(
            summary = "Put the whole state of another service into this one",
            description = "This one must have granted nothing yet, and be of the same version.",
            requestBody =
                    @RequestBody(
                            required = true,
                            description = "What GET answers",
                            content =
                                    @Content(mediaType = LINES, schema = @Schema(type = "string"))))
    @Refuses(ProblemType.CONFLICT)
    @PutMapping(path = "/v1/state", consumes = LINES, produces = MediaType.APPLICATION_JSON_VALUE)
    Imported put(HttpServletRequest request) throws IOException {
        return new Imported(
                imports.read(
                        new BufferedReader(
                                new InputStreamReader(
                                        request.getInputStream(), StandardCharsets.UTF_8))));
    }
}
