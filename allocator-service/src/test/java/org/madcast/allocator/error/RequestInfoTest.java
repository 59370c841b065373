package org.madcast.allocator.error;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.RequestDispatcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestInfoTest {

    @ParameterizedTest
    @CsvSource({
        "/leases, /leases",
        "/v1/leases/[ff18::1]|{^}, /v1/leases/%5Bff18::1%5D%7C%7B%5E%7D",
        "/leases/%zz%41, /leases/%25zz%41",
        "//elsewhere/x, /elsewhere/x",
        "//, /",
        "*, /*",
    })
    void hasAnAddressBelowThisService(String path, String address) {
        assertThat(RequestInfo.of(new MockHttpServletRequest("GET", path)).address())
                .hasToString(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/leases | text/html,*/*;q=0.8 | PEOPLE",
                "/leases | */* | PROGRAMS",
                "/leases | | PROGRAMS",
                "/leases/%zz | text/html | PEOPLE",
                "/v1/leases | text/html | PROGRAMS",
                "/%761/leases | text/html | PROGRAMS",
                "/actuator/health | text/html | PROGRAMS",
            })
    void knowsWhoAsks(String path, String accept, Audience audience) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        if (accept != null) {
            request.addHeader("Accept", accept);
        }
        assertThat(RequestInfo.of(request).audience()).isEqualTo(audience);
    }

    @Test
    void isWhatWasAskedAlsoWhenItIsSentOnceMore() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/error");
        request.addHeader("Accept", "text/html");
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, "/v1/leases");
        request.setAttribute(RequestDispatcher.ERROR_METHOD, "POST");
        assertThat(RequestInfo.of(request))
                .isEqualTo(new RequestInfo("POST", "/v1/leases", Audience.PROGRAMS));
    }
}
