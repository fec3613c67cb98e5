import { schedules } from "../resource.ts";

export const listSchedules = schedules.listOperation({
  id: "agents.listSchedules",
  summary: "List an agent's schedules",
  description:
    "Its recurring dispatches in the environment of the key, newest first: when each is due next, what it last dispatched, and why it last failed to.",
  narrow: (query, { loaded: { agent } }) => query.where("r.agent", "=", agent),
});
