package org.madcast.allocator.dashboard;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

/**
 * Tells people what went wrong outside of the controllers, such as while a page was drawn. The
 * server sends such requests here once more.
 */
@Controller
class ErrorDispatch implements ErrorController {

    @RequestMapping(path = "${server.error.path:/error}", produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView error(HttpServletRequest request, HttpServletResponse response) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        ModelAndView page =
                ErrorPages.page(
                        "error",
                        status instanceof Integer code
                                ? HttpStatusCode.valueOf(code)
                                : HttpStatus.NOT_FOUND,
                        response);
        page.addObject("path", path == null ? request.getRequestURI() : path);
        page.addObject("method", request.getMethod());
        return page;
    }
}
