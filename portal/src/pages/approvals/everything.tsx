import { clsx } from "clsx";
import { AtSign, CircleHelp, Hand, Headset, type LucideIcon, MailX } from "lucide-react";
import { listInbox } from "../../api/approvals.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge, RiskBadge } from "../../ui/badge.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";

type Item = Schema<"InboxItem">;

const kinds: Readonly<Record<Item["kind"], readonly [word: string, icon: LucideIcon]>> = {
  approval: ["Approval", Hand],
  question: ["Question", CircleHelp],
  handoff: ["Hand-off", Headset],
  dead_letter: ["Gave up", MailX],
  mention: ["Mention", AtSign],
};

interface EverythingProps {
  readonly cursor: string | undefined;
  readonly agent: string | undefined;
  readonly onPage: (cursor: string | undefined) => void;
}

/** All that waits for people, in the service's order: due soonest, then by risk, then what waits longest. */
export function Everything({ cursor, agent, onPage }: EverythingProps) {
  const filter = { limit: 25, ...(cursor ? { cursor } : {}), ...(agent ? { agent: [agent] } : {}) };
  const { data, error, refetch } = useLive(listInbox(filter), { every: 4000 });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} />;
  return (
    <>
      <p className="mt-4 text-sm text-muted">{countsText(data.counts)}</p>
      <div className="mt-2 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState title="Nothing waits for people">
            Approvals, questions of tasks and missions, conversations that were handed on, and what gave up appear here.
          </EmptyState>
        ) : (
          <ul aria-label="What waits for people" className="divide-y divide-line">
            {data.data.map((item) => (
              <Row key={`${item.kind} ${item.id}`} item={item} />
            ))}
          </ul>
        )}
        <Pagination cursor={cursor} next={data.next_cursor} onGo={onPage} />
      </div>
    </>
  );
}

const countsText = ({ approval, question, handoff, dead_letter, mention }: Schema<"InboxCounts">): string =>
  [
    counted(approval, "approval"),
    counted(question, "question"),
    counted(handoff, "hand-off"),
    `${dead_letter} that gave up`,
    ...(mention > 0 ? [counted(mention, "mention")] : []),
  ].join(" · ");

/** What is asked, without the title with which it begins. */
const textOf = ({ title, text }: Item): string =>
  text === title ? "" : text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text;

/** The workflow of a run; that of a mission has no name that people gave it. */
const workflowOf = ({ workflow }: NonNullable<Item["run"]>): string =>
  workflow.startsWith("mission-") ? "a mission" : workflow;

function Row({ item }: { readonly item: Item }) {
  const [word, Icon] = kinds[item.kind];
  const { pathname, search } = new URL(item.url, location.origin);
  const text = textOf(item);
  return (
    <li className="hover:bg-sunken">
      <a href={`${pathname}${search}`} className="grid gap-2 px-4 py-3.5 sm:px-5">
        <span className="flex items-baseline justify-between gap-3">
          <span className="flex min-w-0 items-start gap-2.5">
            <Icon
              className={clsx("mt-1 size-4 shrink-0", item.kind === "dead_letter" ? "text-bad" : "text-warn")}
              aria-hidden="true"
            />
            <span className="min-w-0 font-medium wrap-anywhere">{visible(item.title)}</span>
          </span>
          <RelativeTime time={item.since} className="shrink-0 text-xs text-muted" />
        </span>
        {text === "" ? null : (
          <span className="line-clamp-2 pl-6.5 text-sm wrap-anywhere text-muted">{visible(text)}</span>
        )}
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pl-6.5 text-xs text-muted">
          <Badge>{word}</Badge>
          {item.risk === null ? null : <RiskBadge level={item.risk} />}
          {item.due_at === null ? null : (
            <span className={item.overdue ? "text-bad" : "text-warn"}>
              {item.overdue ? "was due" : "due"} <RelativeTime time={item.due_at} />
            </span>
          )}
          {item.agent === null ? null : <span>{item.agent}</span>}
          {item.run === null ? null : <span>{workflowOf(item.run)}</span>}
          {item.standing_in_for === null ? null : <Badge tone="info">for {item.standing_in_for.name}</Badge>}
          {item.may_act ? null : (
            <span>
              for others: <code className="id">{item.who_may_act.permission}</code>
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
