package org.madcast.allocator.lease;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.page.ErrorPage;
import org.madcast.allocator.web.page.FormGuard;
import org.madcast.allocator.web.page.PageController;
import org.madcast.allocator.web.page.Show;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of the reservations, and its forms for operators. */
@PageController
class ReservationPagesController {

    private static final String PATH = "/reservations";

    private final Reservations reservations;
    private final LeaseTable table;
    private final FormGuard guard;

    ReservationPagesController(Reservations reservations, LeaseTable table, FormGuard guard) {
        this.reservations = reservations;
        this.table = table;
        this.guard = guard;
    }

    /** A line of the table. */
    public record Row(
            UUID id,
            String group,
            String scope,
            String holder,
            String until,
            @Nullable UUID lease,
            String by) {

        static Row of(Reservation it) {
            return new Row(
                    it.id(),
                    it.group() + (it.port() == null ? ", all ports" : ""),
                    it.scope(),
                    holder(it.holder()),
                    it.end() == null ? "it is removed" : Show.moment(it.until()),
                    it.lease(),
                    it.made().by());
        }

        private static String holder(Reservation.Holder it) {
            return Stream.of(
                            part("job ", it.job()),
                            part("user ", it.user()),
                            part("token ", it.token()))
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining(", "));
        }

        private static @Nullable String part(String kind, @Nullable String name) {
            return name == null ? null : kind + name;
        }
    }

    @GetMapping(PATH)
    String show(Model model) {
        return page(Map.of(), null, model);
    }

    /** Reserves a group. */
    @PostMapping(PATH)
    String add(
            @RequestParam Map<String, String> typed,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        try {
            reservations.reserve(List.of(table.typed(typed)), false);
            return "redirect:" + PATH;
        } catch (Problem wrong) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return page(typed, wrong.getMessage(), model);
        }
    }

    /** Removes a reservation. When there is none of this number any more, that is no error. */
    @PostMapping(PATH + "/remove")
    String remove(@RequestParam UUID id, HttpServletRequest request, HttpServletResponse response) {
        if (!guard.isMeant(request)) {
            return ErrorPage.refused(response);
        }
        reservations.remove(id);
        return "redirect:" + PATH;
    }

    private String page(Map<String, String> typed, @Nullable String wrong, Model model) {
        model.addAttribute("rows", reservations.all().stream().map(Row::of).toList());
        model.addAttribute("texts", typed);
        model.addAttribute("wrong", wrong);
        return "reservations";
    }
}
