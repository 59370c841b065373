package org.madcast.allocator.error;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Tells what went wrong outside of the controllers, such as while a page was drawn. The server
 * sends such requests here once more; who comes by himself finds nothing.
 */
@Controller
class ErrorDispatch implements ErrorController {

    private final ErrorAnswers answers;

    ErrorDispatch(ErrorAnswers answers) {
        this.answers = answers;
    }

    @RequestMapping("${server.error.path:/error}")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int code = status instanceof Integer told ? told : HttpServletResponse.SC_NOT_FOUND;
        answers.answer(request, response, Failure.of(HttpStatusCode.valueOf(code)));
    }
}
