import { useState } from "react";
import { listComments, readHistory } from "../../api/approvals.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { when } from "../../lib/time.ts";
import { spoken, visible } from "../../lib/words.ts";
import type { Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";
import type { Detail } from "./words.ts";

type Entry = Schema<"ApprovalHistory">["entries"][number];

/** All that happened to it. Asked for when it is opened: each reading is a record. */
export function History({ approval }: { readonly approval: Detail }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="History">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit rounded py-1 text-sm text-muted hover:text-ink">
          Views, votes, claims, comments and the rest
        </summary>
        {open ? <Entries id={approval.approval_id} round={approval.round} /> : null}
      </details>
    </Card>
  );
}

function Entries({ id, round }: { readonly id: string; readonly round: number }) {
  const { data, error } = useLive(readHistory(id), { every: 15_000 });
  const { data: comments } = useLive(listComments(id));
  const mentioned = new Map(comments?.data.flatMap((one) => one.mentions.map(({ id: who, name }) => [who, name])));
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <Skeleton lines={5} />;
  const moments: Moment[] = data.entries.map((entry, at) => ({
    key: `${entry.kind} ${entry.at} ${entry.actor.id} ${at}`,
    time: entry.at,
    tone: tones[entry.kind] ?? "neutral",
    title: `${titleOf(entry)}${round > 1 ? ` (round ${entry.round})` : ""}`,
    children: entry.text === null || entry.kind === "ended" ? null : <Said text={withNames(entry.text, mentioned)} />,
  }));
  return (
    <div className="mt-3">
      <Timeline moments={moments} label="History" />
      {data.more ? <p className="mt-3 text-xs text-muted">Older entries are not shown.</p> : null}
    </div>
  );
}

/** A text with the names of those it mentions, as far as they are known. */
const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(/@(mbr_[0-9a-z]+)/g, (found, id: string) => (names.has(id) ? `@${names.get(id)}` : found));

const tones: Partial<Record<Entry["kind"], Tone>> = { approved: "good", rejected: "bad", withdrawn: "warn" };

const Said = ({ text }: { readonly text: string }) => (
  <p className="wrap-anywhere whitespace-pre-wrap text-muted">{visible(text)}</p>
);

function titleOf({ kind, actor, on_behalf_of: behalf, to, until, times, text }: Entry): string {
  const who = `${actor.name}${behalf ? ` for ${behalf.name}` : ""}`;
  const end = until === null ? "" : ` until ${when(until)}`;
  switch (kind) {
    case "viewed":
      return times === 1 ? `Viewed by ${who}` : `Viewed by ${who}, ${times} times within the hour`;
    case "handed_over":
      return `Delegated by ${who} to ${to?.name ?? "somebody"}`;
    case "ended":
      return `${spoken((text ?? "").split(":")[0] ?? "")}, by ${who}`;
    case "edited":
      return `Edited by ${who}; approval requested again`;
    default:
      return `${spoken(kind)} by ${who}${end}`;
  }
}
