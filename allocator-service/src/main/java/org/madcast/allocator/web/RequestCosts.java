package org.madcast.allocator.web;

import jakarta.validation.Path;
import jakarta.validation.TraversableResolver;
import java.lang.annotation.ElementType;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.RequestContextFilter;

/** Leaves out what the framework does for every request and no request here needs. */
@Configuration(proxyBeanMethods = false)
class RequestCosts {

    /**
     * Bodies are no entities: whether the database has loaded a field need not be asked for each of
     * their fields.
     */
    @Bean
    ValidationConfigurationCustomizer bodiesAreComplete() {
        return validation ->
                validation.traversableResolver(
                        new TraversableResolver() {
                            @Override
                            public boolean isReachable(
                                    Object body,
                                    Path.Node field,
                                    Class<?> root,
                                    Path path,
                                    ElementType type) {
                                return true;
                            }

                            @Override
                            public boolean isCascadable(
                                    Object body,
                                    Path.Node field,
                                    Class<?> root,
                                    Path path,
                                    ElementType type) {
                                return true;
                            }
                        });
    }

    /** The dispatcher sets the context, and no filter reads it. */
    @Bean
    FilterRegistrationBean<RequestContextFilter> contextOnlyInDispatcher() {
        FilterRegistrationBean<RequestContextFilter> filter =
                new FilterRegistrationBean<>(new RequestContextFilter());
        filter.setEnabled(false);
        return filter;
    }
}
