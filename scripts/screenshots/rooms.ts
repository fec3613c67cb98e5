import type { Furnished } from "./seed.ts";

/** One picture's place: an address of the portal, or more than one state of it. */
export interface Room {
  /** The beginning of its files' names. */
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Nobody is signed in. */
  readonly outside?: boolean;
}

/** Every room, with what was furnished in it. */
export const roomsOf = ({ approval, task, policy, webhook }: Furnished): readonly Room[] => [
  { name: "sign-in", title: "Signing in", path: "/sign-in", outside: true },
  { name: "home", title: "Home", path: "/" },
  { name: "approvals", title: "Approvals", path: "/approvals" },
  { name: "approval", title: "One approval", path: `/approvals/${approval}` },
  { name: "tasks", title: "Tasks", path: "/tasks" },
  { name: "task", title: "One task", path: `/tasks/${task}` },
  { name: "agents", title: "Agents", path: "/agents" },
  { name: "agent", title: "One agent", path: "/agents/sales" },
  { name: "versions", title: "Versions of an agent, one of them trained", path: "/agents/sales?tab=versions" },
  { name: "reviews", title: "Reviews", path: "/reviews" },
  { name: "policies", title: "Policies", path: "/policies" },
  { name: "policy", title: "One policy", path: `/policies/${policy}` },
  { name: "keys", title: "Keys", path: "/keys" },
  { name: "webhooks", title: "Webhooks", path: "/webhooks" },
  { name: "webhook", title: "One webhook", path: `/webhooks/${webhook}` },
];
