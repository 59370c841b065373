package org.madcast.measure.leasebench;

import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;

/** What to tell when the service does not stand the load. */
final class UnderLoad {

    private UnderLoad() {}

    static CommandFailure failed(Throwable cause) {
        return new CommandFailure(
                ExitCode.SERVICE, "the service failed under load: " + cause, cause);
    }
}
