package org.madcast.agent.daemon;

/** What the daemon's log says: identifiers are stable, and documented in docs/OPERATIONS.md. */
enum AgentEvent {
    STARTED("MA-001", "info", "the agent listens"),
    ENDED("MA-002", "info", "the agent ends"),
    TAKES_NO_PUSH("MA-003", "warning", "no push will be taken"),
    REHEARSED("MA-004", "info", "the agent pushed to itself, so the next push finds it warm"),
    NOT_REHEARSED("MA-005", "info", "the agent did not push to itself; its first push is slower"),
    REFUSED("MA-101", "warning", "a connection was refused"),
    DESTINATION_REFUSED("MA-102", "warning", "a destination was refused"),
    PUSH_STARTED("MA-201", "info", "taking part in a push"),
    PUSH_COMPLETE("MA-202", "info", "a push is complete"),
    PUSH_PARTLY("MA-203", "error", "a push is over, and files are missing"),
    PUSH_BROKEN("MA-204", "warning", "a push broke off; what arrived is kept for the next attempt"),
    PROBED("MA-205", "info", "taking part in a probe or measurement"),
    ACCEPT_FAILED("MA-301", "error", "a connection could not be accepted"),
    WARNED("MA-302", "warning", "a library warns");

    private final String id;
    private final String level;
    private final String text;

    AgentEvent(String id, String level, String text) {
        this.id = id;
        this.level = level;
        this.text = text;
    }

    String id() {
        return id;
    }

    String level() {
        return level;
    }

    String text() {
        return text;
    }
}
