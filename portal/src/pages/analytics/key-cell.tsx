import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dimensionText } from "./words.ts";

/** Agents lead to their own figures; what has a name is called by it, and shows its id when it is pointed at. */
export function keyCell(dimension: string, value: string | null, name?: string | null): ReactNode {
  if (value === null) return <span className="font-normal text-muted">none</span>;
  if (value === "other") return <span className="font-normal text-muted">all others</span>;
  if (dimension === "agent")
    return (
      <Link to="/analytics/agents/$agent" params={{ agent: value }} className="hover:underline">
        {value}
      </Link>
    );
  if (name) return <span title={value}>{name}</span>;
  return /^[a-z]{3}_[0-9a-z]{26}$/.test(value) ? <code className="id">{value}</code> : dimensionText(value);
}
