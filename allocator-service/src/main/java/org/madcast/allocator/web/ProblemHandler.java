package org.madcast.allocator.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreFailures;
import org.madcast.allocator.web.Fields.InvalidField;
import org.madcast.allocator.web.Problem.WrongField;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.MethodParameter;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
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

/** Answers every exception of a controller of REST as a problem. */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    /** The parts of a parser's message that are no business of a client's. */
    private static final Pattern OF_THE_PARSER =
            Pattern.compile(" \\(start marker at.*|: enable `.*|, from `[^`]*`", Pattern.DOTALL);

    private final ErrorAnswers answers;

    ProblemHandler(ErrorAnswers answers) {
        this.answers = answers;
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
        return on(
                new Problem(ProblemType.CONFLICT, "Something that exists is in the way."), request);
    }

    @ExceptionHandler
    ResponseEntity<Object> onUnexpected(RuntimeException failure, WebRequest request) {
        if (isOfWildcard(failure)) {
            return on(
                    new Problem(
                            ProblemType.UNSUPPORTED_MEDIA_TYPE, "Content-Type must name one type."),
                    request);
        }
        return on(answers.problemOf(info(request), failure), request);
    }

    /** The framework reads a type with an asterisk, and then may not keep it. */
    private static boolean isOfWildcard(RuntimeException failure) {
        return failure instanceof IllegalArgumentException
                && String.valueOf(failure.getMessage())
                        .startsWith("Content-Type cannot contain wildcard");
    }

    private static RequestInfo info(WebRequest request) {
        return RequestInfo.of(((ServletWebRequest) request).getRequest());
    }

    private static ResponseEntity<Object> answer(
            Problem problem, HttpHeaders more, WebRequest request) {
        problem.noteIn(((ServletWebRequest) request).getRequest());
        HttpHeaders headers = new HttpHeaders();
        headers.putAll(more);
        headers.putAll(problem.headers());
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return new ResponseEntity<>(problem.body(info(request)), headers, problem.status());
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
        List<WrongField> wrong = new ArrayList<>();
        for (ParameterValidationResult result : invalid.getParameterValidationResults()) {
            String name = name(result.getMethodParameter());
            result.getResolvableErrors()
                    .forEach(it ->
                            wrong.add(
                                    it instanceof ObjectError error
                                            ? wrong(error)
                                            : new WrongField(
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
                        new WrongField(
                                String.valueOf(invalid.getPropertyName()),
                                "must be " + kind(invalid.getRequiredType()))),
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
            MissingServletRequestParameterException missing,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return invalid(List.of(new WrongField(missing.getParameterName(), "is missing")), request);
    }

    /** The name of a parameter in the request. */
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
            return invalid(List.of(new WrongField("", "must be JSON")), request);
        }
        if (cause.getCause() instanceof InvalidField field) {
            return invalid(wrongFields(path(cause), field), request);
        }
        WrongField named = StrictJson.named(cause);
        if (named != null) {
            return invalid(List.of(named), request);
        }
        String message =
                switch (cause) {
                    case UnrecognizedPropertyException unknown -> "is not known";
                    case MismatchedInputException more
                            when String.valueOf(more.getOriginalMessage())
                                    .startsWith("Trailing token") ->
                            "must end behind the first value";
                    case MismatchedInputException mismatch ->
                            "must be " + kind(mismatch.getTargetType());
                    case InputCoercionException coercion -> "is a number out of range";
                    default -> "is not JSON: " + messageOf(cause);
                };
        return invalid(List.of(new WrongField(path(cause), message)), request);
    }

    /** The field, and those that were refused together with it. */
    private static List<WrongField> wrongFields(String parent, InvalidField first) {
        List<WrongField> all = new ArrayList<>();
        all.add(wrongField(parent, first));
        for (Throwable each : first.getSuppressed()) {
            if (each instanceof InvalidField field) {
                all.add(wrongField(parent, field));
            }
        }
        return all;
    }

    private static WrongField wrongField(String parent, InvalidField field) {
        String between = parent.isEmpty() || field.field().isEmpty() ? "" : ".";
        String name = parent + between + field.field();
        return new WrongField(name, String.valueOf(field.getMessage()));
    }

    /** The message of the parser without its own location, and what its programmer could set. */
    private static String messageOf(JacksonException cause) {
        String text = String.valueOf(cause.getOriginalMessage());
        return OF_THE_PARSER.matcher(text).replaceAll("");
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
                                .formatted(info(request).path())),
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

    private WrongField wrong(ObjectError error) {
        String field = error instanceof FieldError at ? at.getField() : error.getObjectName();
        boolean unread = error instanceof FieldError at && at.isBindingFailure();
        return new WrongField(
                field, unread ? "cannot be read" : String.valueOf(error.getDefaultMessage()));
    }

    private ResponseEntity<Object> invalid(List<WrongField> wrong, WebRequest request) {
        List<String> sentences =
                wrong.stream().map(it -> (it.field() + " " + it.message()).strip()).toList();
        return on(
                new Problem(ProblemType.INVALID_REQUEST, String.join("; ", sentences))
                        .with(Problem.ERRORS, wrong),
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
            case "String" -> "a text";
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
