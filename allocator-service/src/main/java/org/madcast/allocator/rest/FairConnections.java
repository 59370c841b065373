package org.madcast.allocator.rest;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Has the server share its connections fairly. */
@Configuration(proxyBeanMethods = false)
class FairConnections {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> fairHttp() {
        return factory -> factory.setProtocol(FairHttp.class.getName());
    }
}
