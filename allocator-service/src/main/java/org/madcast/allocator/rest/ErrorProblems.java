package org.madcast.allocator.rest;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells programs what went wrong outside of the controllers. The server sends such requests here
 * once more; people get a page of the dashboard's instead.
 */
@RestController
class ErrorProblems {

    @RequestMapping("${server.error.path:/error}")
    ResponseEntity<Object> error(HttpServletRequest request) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        return of(status instanceof Integer code ? code : 404).toResponse();
    }

    /** What can be said when only the status is known. */
    static Problem of(int status) {
        ProblemType type = ProblemType.of(status);
        return new Problem(
                type,
                type.status().is5xxServerError()
                        ? "The service's log says more."
                        : "The server refused the request as it is written.");
    }
}
