package org.madcast.allocator.rest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.error.RequestInfo;
import org.madcast.allocator.error.Unexpected;
import org.madcast.allocator.store.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.MethodParameter;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Answers everything that goes wrong in a request as a problem. */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    /**
     * What is wrong with a field.
     *
     * @param field where it is, such as {@code labels[a]}
     * @param message what must be true of it
     */
    record Wrong(String field, String message) {}

    private final Unexpected unexpected;

    ProblemHandler(Unexpected unexpected) {
        this.unexpected = unexpected;
    }

    @ExceptionHandler
    ResponseEntity<Object> on(Problem problem, WebRequest request) {
        return answer(problem, HttpHeaders.EMPTY, request);
    }

    /** Parameters that are not encoded as such. */
    @ExceptionHandler
    ResponseEntity<Object> onUnreadable(InvalidParameterException unreadable, WebRequest request) {
        return on(
                new Problem(
                        ProblemType.of(unreadable.getErrorCode()),
                        "The parameters are not encoded as they must be in an address."),
                request);
    }

    @ExceptionHandler
    ResponseEntity<Object> onRefused(DataIntegrityViolationException refused, WebRequest request) {
        if (!StoreFailures.isConflict(refused)) {
            return onUnexpected(refused, request);
        }
        LOG.warn("The database refused a change", refused);
        return on(new Problem(ProblemType.CONFLICT, "A live lease is in the way."), request);
    }

    @ExceptionHandler
    ResponseEntity<Object> onUnexpected(RuntimeException failure, WebRequest request) {
        HttpStatus status = unexpected.judge(asked(request), failure);
        return on(
                status == HttpStatus.BAD_REQUEST
                        ? new Problem(
                                ProblemType.INVALID_REQUEST,
                                "A text has characters that cannot be stored.")
                        : Problem.of(status),
                request);
    }

    private static RequestInfo asked(WebRequest request) {
        return RequestInfo.of(((ServletWebRequest) request).getRequest());
    }

    private static ResponseEntity<Object> answer(
            Problem problem, HttpHeaders more, WebRequest request) {
        HttpHeaders headers = new HttpHeaders();
        headers.putAll(more);
        headers.putAll(problem.headers());
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return new ResponseEntity<>(problem.body(asked(request)), headers, problem.status());
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return invalid(
                invalid.getBindingResult().getAllErrors().stream().map(this::wrong).toList(),
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        List<Wrong> wrong = new ArrayList<>();
        for (ParameterValidationResult result : invalid.getParameterValidationResults()) {
            String name = name(result.getMethodParameter());
            result.getResolvableErrors()
                    .forEach(it ->
                            wrong.add(
                                    it instanceof ObjectError error
                                            ? wrong(error)
                                            : new Wrong(
                                                    name, String.valueOf(it.getDefaultMessage()))));
        }
        return invalid(wrong, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException invalid,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return invalid(
                List.of(
                        new Wrong(
                                String.valueOf(invalid.getPropertyName()),
                                "must be " + kind(invalid.getRequiredType()))),
                request);
    }

    /** A parameter as its sender knows it. */
    private static String name(MethodParameter parameter) {
        RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
        return header == null || header.name().isEmpty()
                ? String.valueOf(parameter.getParameterName())
                : header.name();
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        if (!(unreadable.getCause() instanceof JacksonException cause)) {
            return invalid(List.of(new Wrong("", "must be JSON")), request);
        }
        String message =
                switch (cause) {
                    case UnrecognizedPropertyException unknown -> "is not known";
                    case MismatchedInputException mismatch ->
                            "must be " + kind(mismatch.getTargetType());
                    case InputCoercionException coercion -> "is a number out of range";
                    default -> "is not JSON: " + said(cause);
                };
        return invalid(List.of(new Wrong(path(cause), message)), request);
    }

    /** What the parser found, without where in its own terms. */
    private static String said(JacksonException cause) {
        String text = String.valueOf(cause.getOriginalMessage());
        int end = text.indexOf(" (start marker at");
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return on(
                new Problem(
                        ProblemType.NOT_FOUND,
                        "Nothing is at %s. All of REST is described at /v1/openapi."
                                .formatted(asked(request).path())),
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception refused,
            @Nullable Object body,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        ProblemType type = ProblemType.of(status.value());
        return answer(new Problem(type, String.valueOf(refused.getMessage())), headers, request);
    }

    private Wrong wrong(ObjectError error) {
        String field = error instanceof FieldError at ? at.getField() : error.getObjectName();
        return new Wrong(field, String.valueOf(error.getDefaultMessage()));
    }

    /** The problem with one field that the annotations cannot tell. */
    static Problem invalid(String field, String message) {
        return new Problem(ProblemType.INVALID_REQUEST, field + " " + message)
                .with("errors", List.of(new Wrong(field, message)));
    }

    private ResponseEntity<Object> invalid(List<Wrong> wrong, WebRequest request) {
        List<String> sentences =
                wrong.stream().map(it -> (it.field() + " " + it.message()).strip()).toList();
        return on(
                new Problem(ProblemType.INVALID_REQUEST, String.join("; ", sentences))
                        .with("errors", wrong),
                request);
    }

    private static String kind(@Nullable Class<?> target) {
        if (target == null || target.isRecord()) {
            return "an object";
        }
        return switch (target.getSimpleName()) {
            case "Integer", "Long", "int", "long" -> "a whole number";
            case "Instant" -> "a time such as 2026-12-24T18:00:00Z";
            case "Boolean", "boolean" -> "true or false";
            case "Map", "LinkedHashMap" -> "an object";
            case "List", "ArrayList" -> "a list";
            default ->
                    target.isEnum()
                            ? "one of " + Arrays.toString(target.getEnumConstants())
                            : "a " + target.getSimpleName();
        };
    }

    private static String path(JacksonException cause) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : cause.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.toString();
    }
}
