package org.madcast.allocator.alert;

import org.madcast.allocator.web.page.PageController;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Hands the alerts to the templates of pages whose features see no alerts. */
@ControllerAdvice(annotations = PageController.class)
class PageAlerts {

    private final AlertService alerts;

    PageAlerts(AlertService alerts) {
        this.alerts = alerts;
    }

    @ModelAttribute("alertService")
    AlertService alerts() {
        return alerts;
    }
}
