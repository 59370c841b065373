package org.madcast.allocator.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessRulesTest {

    @ParameterizedTest
    @CsvSource({
        "GET, /actuator/health, NONE",
        "GET, /actuator/health/readiness, NONE",
        "GET, /actuator/prometheus, NONE",
        "POST, /actuator/health, OPERATOR",
        "GET, /actuator/env, OPERATOR",
        "GET, /actuator, OPERATOR",
        "GET, /dashboard/live.js, NONE",
        "GET, /dashboards, VIEWER",
        "GET, /sign-in, NONE",
        "POST, /sign-in, NONE",
        "POST, /sign-in/more, OPERATOR",
        "POST, /sign-out, NONE",
        "GET, /, VIEWER",
        "GET, /leases, VIEWER",
        "POST, /leases/1/release, OPERATOR",
        "GET, /events, VIEWER",
        "GET, /v1/leases, VIEWER",
        "POST, /v1/leases, JOB",
        "DELETE, /v1/leases/1, JOB",
        "POST, /v1/leasesx, OPERATOR",
        "POST, /v1/communicators, JOB",
        "PUT, /v1/communicators/1/members/0, JOB",
        "POST, /v1/reports, JOB",
        "POST, /v1/nodes, JOB",
        "GET, /v1/scopes, VIEWER",
        "PUT, /v1/scopes/default, OPERATOR",
        "GET, /v1/tokens, OPERATOR",
        "DELETE, /v1/tokens/first, OPERATOR",
        "GET, /v1/openapi, VIEWER",
        "TRACE, /v1/anything, OPERATOR",
    })
    void whatIsNeeded(String method, String path, Role needed) {
        assertThat(AccessRules.needed(method, path)).isEqualTo(needed);
    }

    @Test
    void eachRoleMayWhatThoseBeforeItMay() {
        assertThat(Role.OPERATOR.allows(Role.JOB)).isTrue();
        assertThat(Role.JOB.allows(Role.VIEWER)).isTrue();
        assertThat(Role.VIEWER.allows(Role.JOB)).isFalse();
        assertThat(Role.NONE.allows(Role.VIEWER)).isFalse();
        for (Role role : Role.values()) {
            assertThat(Role.of(role.word())).isEqualTo(role);
        }
    }
}
