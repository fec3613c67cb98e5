import {
  BookOpenText,
  Bot,
  ChartNoAxesCombined,
  ClipboardCheck,
  FileClock,
  House,
  Inbox,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  MonitorSmartphone,
  ScrollText,
  Store,
  Target,
  Webhook,
  Workflow,
} from "lucide-react";
import { useRights } from "../api/rights.ts";

export interface Room {
  readonly to:
    | "/"
    | "/approvals"
    | "/tasks"
    | "/agents"
    | "/workflows"
    | "/missions"
    | "/conversations"
    | "/knowledge"
    | "/analytics"
    | "/reviews"
    | "/marketplace"
    | "/audit"
    | "/policies"
    | "/keys"
    | "/webhooks"
    | "/sessions";
  readonly name: string;
  readonly icon: LucideIcon;
  /** The two keys that lead to it. */
  readonly keys: string;
  /** What is found there, for the palette. */
  readonly about: string;
  /** Kept in the bar at the bottom of a phone; the others are behind "More". */
  readonly thumb?: boolean;
  /** The permission without which nothing is to be seen there. */
  readonly needs?: string;
}

/** The rooms that this session may enter, in the order of the rail. */
export function useRooms(): readonly Room[] {
  const may = useRights();
  return rooms.filter(({ needs }) => needs === undefined || may(needs));
}

const rooms: readonly Room[] = [
  { to: "/", name: "Home", icon: House, keys: "g h", about: "what needs you, what runs, what went wrong", thumb: true },
  {
    to: "/approvals",
    name: "Approvals",
    icon: Inbox,
    keys: "g a",
    about: "decide what waits for people",
    thumb: true,
    needs: "approvals:read",
  },
  {
    to: "/tasks",
    name: "Tasks",
    icon: ListChecks,
    keys: "g t",
    about: "work, its steps and its proof",
    thumb: true,
    needs: "tasks:read",
  },
  {
    to: "/agents",
    name: "Agents",
    icon: Bot,
    keys: "g e",
    about: "versions, deployments, trust",
    thumb: true,
    needs: "agents:read",
  },
  {
    to: "/workflows",
    name: "Workflows",
    icon: Workflow,
    keys: "g f",
    about: "definitions, runs, triggers and dead letters",
    needs: "workflows:read",
  },
  {
    to: "/missions",
    name: "Missions",
    icon: Target,
    keys: "g m",
    about: "goals, plans, spend and decisions",
    needs: "missions:read",
  },
  {
    to: "/conversations",
    name: "Conversations",
    icon: MessagesSquare,
    keys: "g c",
    about: "chats with agents, live; take over, channels",
    needs: "chat:read",
  },
  {
    to: "/knowledge",
    name: "Knowledge",
    icon: BookOpenText,
    keys: "g d",
    about: "bases, documents and search with citations",
    needs: "knowledge:read",
  },
  {
    to: "/analytics",
    name: "Analytics",
    icon: ChartNoAxesCombined,
    keys: "g y",
    about: "figures, costs, quality, alerts and own queries",
    needs: "analytics:read",
  },
  {
    to: "/reviews",
    name: "Reviews",
    icon: ClipboardCheck,
    keys: "g r",
    about: "judge tasks that chance chose",
    needs: "evaluations:read",
  },
  {
    to: "/marketplace",
    name: "Marketplace",
    icon: Store,
    keys: "g b",
    about: "signed agents, workflows and tools to install; installs, recalls",
    needs: "marketplace:read",
  },
  {
    to: "/policies",
    name: "Policies",
    icon: ScrollText,
    keys: "g p",
    about: "what may happen, and under which conditions",
    needs: "governance:read",
  },
  {
    to: "/audit",
    name: "Audit log",
    icon: FileClock,
    keys: "g l",
    about: "every call, searched by words, people and days, with its proof",
    needs: "audit:read",
  },
  { to: "/keys", name: "Keys", icon: KeyRound, keys: "g k", about: "who may call, and what", needs: "admin:read" },
  {
    to: "/webhooks",
    name: "Webhooks",
    icon: Webhook,
    keys: "g w",
    about: "endpoints and deliveries",
    needs: "webhooks:read",
  },
  {
    to: "/sessions",
    name: "Sessions",
    icon: MonitorSmartphone,
    keys: "g s",
    about: "where you are signed in, and your passkeys",
  },
];
