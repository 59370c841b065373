package org.madcast.allocator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

/** Which requests may take the short way: those that need nothing of what the framework does. */
class ReportFilterTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST|/v1/reports|application/json|application/json, application/problem+json|true",
                "POST|/v1/reports|application/json|*/*|true",
                "POST|/v1/reports|application/json||true",
                "GET|/v1/reports|application/json||false",
                "POST|/v1/communicators/0b0e4a52-0000-4000-8000-00000000000a/members/7/reports"
                        + "|application/json||true",
                "POST|/v1/communicators/0b0e4a52-0000-4000-8000-00000000000a/members/07/reports"
                        + "|application/json||false",
                "POST|/v1/communicators/0b0e4a52/members/7/reports|application/json||false",
                "POST|/v1/communicators/0b0e4a52-0000-4000-8000-00000000000a/members/7/renewal"
                        + "|application/json||false",
                "POST|/v1/reports/|application/json||false",
                "POST|/v1/leases|application/json||false",
                "POST|/v1/reports|application/xml||false",
                "POST|/v1/reports|application/json;charset=UTF-16||false",
                "POST|/v1/reports|||false",
                "POST|/v1/reports|application/json|text/html|false",
                "POST|/v1/reports|application/json|application/json;q=0|false",
            })
    void onlyPlainRequests(
            String method, String path, String contentType, String accept, boolean plain) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setContentType(contentType);
        if (accept != null) {
            request.addHeader("Accept", accept);
        }
        assertThat(ReportFilter.isPlain(request)).isEqualTo(plain);
    }
}
