package org.madcast.allocator.communicator;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import java.util.UUID;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.madcast.allocator.web.Requester;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Accepts the profile of a job, which its page shows. */
@RestController
@RequestMapping(path = "/v1/communicators", produces = MediaType.APPLICATION_JSON_VALUE)
class ProfileController {

    private final CommunicatorService communicators;
    private final ProfileStore profiles;

    ProfileController(CommunicatorService communicators, ProfileStore profiles) {
        this.communicators = communicators;
        this.profiles = profiles;
    }

    @Operation(
            summary = "Keep what ranks sent to each other and when they were in calls",
            description =
                    "Also of a communicator that has ended; in the place of what was kept before. Its page"
                            + " shows it.")
    @Refuses({ProblemType.NO_SUCH_COMMUNICATOR, ProblemType.FOREIGN_OWNER})
    @PutMapping("/{id}/profile")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void put(
            @PathVariable UUID id,
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @Valid @RequestBody Profile profile) {
        Communicator communicator =
                communicators.find(id).orElseThrow(MemberController::noSuchCommunicator);
        if (!by.mayUse(communicator.ownedBy())) {
            throw Requester.foreign();
        }
        profile.check(communicator.size());
        if (!profiles.put(id, profile)) {
            throw MemberController.noSuchCommunicator();
        }
    }
}
