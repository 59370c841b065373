package org.madcast.allocator.statistics;

import io.micrometer.observation.ObservationPredicate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Reports are most of all requests and are counted by themselves: timing each one as a request of
 * HTTP, too, would tell nothing that they do not.
 */
@Configuration(proxyBeanMethods = false)
class UnobservedReports {

    @Bean
    ObservationPredicate allButReports() {
        return (name, context) ->
                !(context instanceof ServerRequestObservationContext request
                        && request.getCarrier() != null
                        && ReportFilter.isOfReports(request.getCarrier().getRequestURI()));
    }
}
