package org.madcast.allocator.web;

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
                "/leases | text/html,*/*;q=0.8 | true",
                "/leases | */* | false",
                "/leases | | false",
                "/leases/%zz | text/html | true",
                "/v1/leases | text/html | false",
                "/%761/leases | text/html | false",
                "/actuator/health | text/html | false",
            })
    void aBrowserGetsAPageUnlessThePathIsOfPrograms(String path, String accept, boolean page) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        if (accept != null) {
            request.addHeader("Accept", accept);
        }
        assertThat(RequestInfo.of(request).wantsPage()).isEqualTo(page);
    }

    @Test
    void isWhatWasAskedAlsoWhenItIsSentOnceMore() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/error");
        request.addHeader("Accept", "text/html");
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, "/v1/leases");
        request.setAttribute(RequestDispatcher.ERROR_METHOD, "POST");
        assertThat(RequestInfo.of(request)).isEqualTo(new RequestInfo("POST", "/v1/leases", false));
    }
}
