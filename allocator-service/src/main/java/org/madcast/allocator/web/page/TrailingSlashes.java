package org.madcast.allocator.web.page;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.madcast.allocator.web.RequestInfo;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Leads from the address of a page with a slash too many to the page. REST knows no such slash. */
@Component
class TrailingSlashes extends OncePerRequestFilter {

    private static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return path.equals("/")
                || !path.endsWith("/")
                || !READING.contains(request.getMethod())
                || RequestInfo.isForPrograms(path);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Two slashes at the beginning would lead to another host.
        String path = request.getRequestURI().replaceFirst("^/*", "/").replaceFirst("/*$", "");
        String query = request.getQueryString();
        response.setStatus(HttpStatus.PERMANENT_REDIRECT.value());
        response.setHeader(
                HttpHeaders.LOCATION,
                (path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query));
    }
}
