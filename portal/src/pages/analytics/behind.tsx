import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface ListRoom {
  readonly to: "/tasks" | "/policies" | "/conversations";
  /** Filters that its address knows; undefined: all that links have. */
  readonly knows?: readonly string[];
  readonly search?: Readonly<Record<string, string>>;
}

/** Rooms that show the lists to which figures lead, by the paths of the interface. */
const rooms: Readonly<Record<string, ListRoom>> = {
  "/v1/chat/conversations": {
    to: "/conversations",
    knows: ["agent", "handover", "handover_team", "handover_after", "handover_before"],
    search: { view: "all" },
  },
  "/v1/tasks": { to: "/tasks" },
  "/v1/governance/violations": {
    to: "/policies",
    knows: ["source", "agent", "created_after", "created_before"],
    search: { view: "violations" },
  },
};

/** Where the portal shows what a link of the interface lists; null where it has no such list. */
export function addressOf(link: string | null): { to: string; search: Record<string, string> } | null {
  if (link === null) return null;
  const [path = "", query = ""] = link.split("?");
  const room = rooms[path];
  const filters = Object.fromEntries(new URLSearchParams(query));
  if (room === undefined || !Object.keys(filters).every((name) => room.knows?.includes(name) ?? true)) return null;
  return { to: room.to, search: { ...room.search, ...filters } };
}

interface BehindProps {
  /** A path of the interface, or null. */
  readonly link: string | null;
  /** What is listed there, for those who hear only the link. */
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A value that leads to the things behind it, where a list can show them. */
export function Behind({ link, label, className, children }: BehindProps) {
  const address = addressOf(link);
  if (address === null) return <span className={className}>{children}</span>;
  return (
    <Link
      to={address.to}
      // Each room reads of its own address what it knows.
      search={address.search as never}
      className={`${className ?? ""} underline decoration-line-strong/60 underline-offset-4 hover:decoration-current`}
      {...(label ? { title: label } : {})}
    >
      {children}
    </Link>
  );
}
