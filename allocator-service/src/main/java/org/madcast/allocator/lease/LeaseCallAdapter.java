package org.madcast.allocator.lease;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Validator;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Requester;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls the two methods of {@link LeaseController} that clients call most, grant and release, with
 * arguments that the framework's mapper reads and its validator checks. The framework's own way to
 * a method takes two fifths of the service's processor time. What is not plain here, such as a body
 * that is refused, goes that way, which says why; there is nothing that this adapter refuses
 * itself.
 */
@Component
class LeaseCallAdapter implements HandlerAdapter, Ordered {

    private static final String JSON = MediaType.APPLICATION_JSON_VALUE;

    private final LeaseController controller;
    private final JsonMapper json;
    private final Validator validator;
    private final RequestMappingHandlerAdapter framework;

    LeaseCallAdapter(
            LeaseController controller,
            JsonMapper json,
            Validator validator,
            RequestMappingHandlerAdapter framework) {
        this.controller = controller;
        this.json = json;
        this.validator = validator;
        this.framework = framework;
    }

    /** Before the framework's, which is the last. */
    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method
                && method.getBeanType() == LeaseController.class
                && (method.getMethod().getName().equals("grant")
                        || method.getMethod().getName().equals("release"));
    }

    @Override
    public @Nullable ModelAndView handle(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws Exception {
        if (request.getAttribute(Requester.ATTRIBUTE) instanceof Requester by
                && request.getQueryString() == null) {
            boolean grants = ((HandlerMethod) handler).getMethod().getName().equals("grant");
            if (grants ? grant(by, request, response) : release(by, request, response)) {
                return null;
            }
        }
        return framework.handle(request, response, handler);
    }

    /** False, and nothing is done, if the framework should see to it. */
    private boolean grant(Requester by, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        LeaseBodies.Grant body = body(request);
        String key = request.getHeader(LeaseController.KEY);
        if (body == null || (key != null && (key.isEmpty() || key.length() > Limits.KEY_LENGTH))) {
            return false;
        }
        ResponseEntity<LeaseBodies.View> answer = controller.grant(by, body, key);
        byte[] lease = json.writeValueAsBytes(answer.getBody());
        response.setStatus(answer.getStatusCode().value());
        answer.getHeaders().forEach((name, values) -> response.setHeader(name, values.getFirst()));
        response.setContentType(JSON);
        response.setContentLength(lease.length);
        response.getOutputStream().write(lease);
        return true;
    }

    private LeaseBodies.@Nullable Grant body(HttpServletRequest request) throws IOException {
        if (!JSON.equals(request.getHeader(HttpHeaders.CONTENT_TYPE))) {
            return null;
        }
        try {
            LeaseBodies.Grant body =
                    json.readValue(request.getInputStream(), LeaseBodies.Grant.class);
            return body != null && validator.validate(body).isEmpty() ? body : null;
        } catch (JacksonException unreadable) {
            return null; // the framework reads it again, and says what is wrong
        }
    }

    private boolean release(
            Requester by, HttpServletRequest request, HttpServletResponse response) {
        UUID id = id(request);
        if (id == null) {
            return false;
        }
        controller.release(by, id, request.getHeader(LeaseController.SECRET), false);
        response.setStatus(HttpStatus.NO_CONTENT.value());
        return true;
    }

    private static @Nullable UUID id(HttpServletRequest request) {
        Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        if (variables instanceof Map<?, ?> byName && byName.get("id") instanceof String id) {
            try {
                return UUID.fromString(id);
            } catch (IllegalArgumentException noId) {
                return null; // the framework says so
            }
        }
        return null;
    }
}
