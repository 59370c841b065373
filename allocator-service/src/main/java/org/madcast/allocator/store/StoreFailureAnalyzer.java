package org.madcast.allocator.store;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a database that cannot be used without a stack trace. */
public final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        return new FailureAnalysis(cause.getMessage(), null, cause);
    }
}
