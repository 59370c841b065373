package org.madcast.allocator.web;

import jakarta.validation.Path;
import jakarta.validation.TraversableResolver;
import java.lang.annotation.ElementType;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Bodies of requests are no entities: whether a field of theirs is loaded yet need not be asked of
 * the persistence provider, which takes longer than the checks themselves.
 */
@Configuration(proxyBeanMethods = false)
class PlainValidation {

    @Bean
    ValidationConfigurationCustomizer everythingIsReachable() {
        return configuration -> configuration.traversableResolver(new Everything());
    }

    private static final class Everything implements TraversableResolver {

        @Override
        public boolean isReachable(
                @Nullable Object object,
                Path.Node property,
                Class<?> rootType,
                Path pathToObject,
                ElementType elementType) {
            return true;
        }

        @Override
        public boolean isCascadable(
                @Nullable Object object,
                Path.Node property,
                Class<?> rootType,
                Path pathToObject,
                ElementType elementType) {
            return true;
        }
    }
}
