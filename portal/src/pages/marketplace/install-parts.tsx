import { Link } from "@tanstack/react-router";
import type { Install, InstallPart } from "../../api/installs.ts";
import { visible } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { CopyText } from "../../ui/code.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { driftWords } from "./install-words.ts";
import { partWords } from "./words.ts";

/** What an install made, and whether it still is what the bundle holds. */
export function InstallParts({ install: { parts, state } }: { readonly install: Install }) {
  if (parts.length === 0) return <EmptyState title="No parts">Nothing was made yet.</EmptyState>;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      <Table
        label="Parts"
        columns={columnsOf(state === "removed")}
        rows={parts}
        rowKey={({ kind, name, file }) => `${kind} ${name} ${file}`}
      />
    </div>
  );
}

const states: Readonly<Record<InstallPart["state"], readonly [word: string, tone: Tone]>> = {
  made: ["Made", "good"],
  kept: ["Was there already", "info"],
  failed: ["Failed", "bad"],
  removed: ["Removed", "neutral"],
};
const stays = ["Stays", "info"] as const;

const isThere = (state: InstallPart["state"]): boolean => state === "made" || state === "kept";
const stateBadge = ([word, tone]: readonly [word: string, tone: Tone]) => <Badge tone={tone}>{word}</Badge>;

const driftColumn: Column<InstallPart> = {
  name: "Drift",
  cell: ({ state, drift }) => (isThere(state) ? stateBadge(driftWords[drift]) : "–"),
};

/** The columns; of what is left of a removed install drift says nothing. */
const columnsOf = (removed: boolean): readonly Column<InstallPart>[] => [
  {
    name: "Part",
    cell: (part) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere">
          <span className="text-muted">{partWords[part.kind] ?? part.kind}</span> <PartName part={part} />
        </span>
        <code className="id text-muted">{visible(part.file)}</code>
        {part.problem === null ? null : <span className="max-w-prose text-bad">{visible(part.problem.detail)}</span>}
      </span>
    ),
  },
  { name: "State", cell: ({ state }) => stateBadge(removed && isThere(state) ? stays : states[state]) },
  ...(removed ? [] : [driftColumn]),
  {
    name: "Record",
    cell: ({ audit_ref: record }) => (record === null ? "–" : <CopyText text={record} label="audit reference" short />),
    wideOnly: true,
  },
];

function PartName({ part: { name, link, state } }: { readonly part: InstallPart }) {
  const path = link === null || state === "removed" || state === "failed" ? null : roomOf(link);
  if (path === null) return <span className="font-medium">{visible(name)}</span>;
  return (
    <Link to={path} className="font-medium text-accent underline underline-offset-2">
      {visible(name)}
    </Link>
  );
}

/** The address of a room of this portal, of a whole link to it. */
function roomOf(link: string): string | null {
  try {
    const { pathname, search } = new URL(link, location.origin);
    return `${pathname}${search}`;
  } catch {
    return null;
  }
}
