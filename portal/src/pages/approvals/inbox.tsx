import { getRouteApi, Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { readApproval } from "../../api/approvals.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { asksText, titleOf, wantedOf } from "../../lib/asking.ts";
import { counted } from "../../lib/words.ts";
import { Badge, RiskBadge, StatusBadge } from "../../ui/badge.tsx";
import { PageHead } from "../../ui/card.tsx";
import { HeldLine } from "../../ui/held.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState, ErrorState, NothingFits, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { Absences } from "./absences.tsx";
import { useDecision } from "./decide.ts";
import { Decision } from "./decision.tsx";
import { Everything } from "./everything.tsx";
import { liveEvery } from "./live.ts";
import { type InboxSearch, inboxOf } from "./loaders.ts";
import { Rules } from "./rules.tsx";
import { ApprovalView, useDigestFits } from "./view.tsx";
import { useWide } from "./wide.ts";
import { type Detail, type Listed, roundText } from "./words.ts";

const route = getRouteApi("/shell/approvals");
const views = [
  ["mine", "For you"],
  ["pending", "All pending"],
  ["everything", "Everything"],
  ["decided", "Decided"],
  ["absences", "Absences"],
  ["rules", "Rules"],
] as const;

/** All that waits for people: decisions, with the one that is being made beside them where there is room, or everything in one list. */
export function InboxPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(inboxOf(search), { every: 4000 });
  return (
    <>
      <PageHead title="Approvals" lead={<Counts counts={data.counts} />} />
      <Filters search={search} />
      {search.view === "absences" ? (
        <Absences cursor={search.cursor} onPage={(cursor) => void navigate({ search: { ...search, cursor } })} />
      ) : search.view === "rules" ? (
        <Rules cursor={search.cursor} onPage={(cursor) => void navigate({ search: { ...search, cursor } })} />
      ) : search.view === "everything" ? (
        <Everything
          cursor={search.cursor}
          agent={search.agent}
          onPage={(cursor) => void navigate({ search: { ...search, cursor } })}
        />
      ) : (
        <Decisions search={search} page={data} />
      )}
    </>
  );
}

interface DecisionsProps {
  readonly search: InboxSearch;
  readonly page: {
    readonly data: readonly Listed[];
    readonly next_cursor: string | null;
    readonly counts: Schema<"PendingCounts">;
  };
}

function Decisions({ search, page }: DecisionsProps) {
  const navigate = route.useNavigate();
  const wide = useWide();
  const { rows, current, move, open } = useRows(page.data, wide);
  // By its task while it waits: a new round of it is shown in the same place, and a dialog that stands open there stays.
  const beside = current?.status === "pending" ? current.task_id : current?.approval_id;
  useShortcuts("Inbox", [
    { keys: "j", label: "Next", run: () => move(1) },
    { keys: "k", label: "Previous", run: () => move(-1) },
    {
      keys: "Enter",
      label: "Open on its own page",
      run: () => current && void navigate({ to: "/approvals/$task", params: { task: current.task_id } }),
    },
  ]);
  return (
    <div
      className={clsx(
        "mt-4 grid grid-cols-1 items-start gap-4",
        wide && rows.length > 0 && "grid-cols-[minmax(18rem,22rem)_minmax(0,1fr)]",
      )}
    >
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {rows.length === 0 ? <Nothing search={search} waiting={page.counts.total} /> : null}
        <ul aria-label="Approvals" className="divide-y divide-line">
          {rows.map((row) => (
            <Row
              key={row.approval_id}
              row={row}
              current={current?.approval_id === row.approval_id}
              wide={wide}
              onOpen={() => open(row)}
            />
          ))}
        </ul>
        <Pagination
          cursor={search.cursor}
          next={page.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor, open: undefined } })}
        />
      </div>
      {wide && beside ? <Beside key={beside} id={beside} /> : null}
    </div>
  );
}

/**
 * The rows, and the one that the keyboard is on: by the address, else the first. A row that is open stays until one goes on, also when it was decided meanwhile, so
 * that what is looked at never changes by itself.
 */
function useRows(data: readonly Listed[], wide: boolean) {
  const { open: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const held = useRef<Listed | null>(null);
  const found = data.find(({ task_id }) => task_id === opened);
  if (found) held.current = found;
  const kept = held.current?.task_id === opened && !found ? held.current : null;
  const rows = kept ? [kept, ...data] : data;
  const current = found ?? kept ?? (opened === undefined && wide ? data[0] : undefined) ?? null;
  const open = (row: Listed): void =>
    void navigate({ search: (before) => ({ ...before, open: row.task_id }), replace: true, resetScroll: false });
  // The first one is held by its address as soon as it is shown, so that a newer one does not take its place under the eyes.
  const first = opened === undefined && wide ? data[0]?.task_id : undefined;
  useEffect(() => {
    if (first !== undefined)
      void navigate({ search: (before) => ({ ...before, open: first }), replace: true, resetScroll: false });
  }, [first, navigate]);
  const move = (step: number): void => {
    const at = current ? rows.findIndex(({ approval_id }) => approval_id === current.approval_id) : -1;
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
    if (next) {
      open(next);
      document.querySelector(`[data-row="${next.approval_id}"]`)?.scrollIntoView({ block: "nearest" });
    }
  };
  return { rows, current, move, open };
}

function Counts({ counts }: { readonly counts: Schema<"PendingCounts"> }) {
  if (counts.total === 0) return <p>Nothing waits for a decision.</p>;
  const grave = counts.critical + counts.high;
  return (
    <p>
      {counted(counts.total, "decision")} {counts.total === 1 ? "waits" : "wait"}
      {grave > 0 ? `, ${grave} of them at high or critical risk` : ""}. Nothing runs before approval.
    </p>
  );
}

function Filters({ search }: { readonly search: InboxSearch }) {
  const view = search.view ?? "mine";
  const chip = "rounded-full border px-3 py-1 text-sm pointer-coarse:py-2.5";
  const look = (on: boolean): string =>
    clsx(
      chip,
      on ? "border-accent bg-accent-soft font-medium text-accent" : "border-line-strong/60 text-muted hover:text-ink",
    );
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <nav aria-label="Filter approvals" className="flex flex-wrap gap-1.5">
        {views.map(([word, name]) => (
          <Link
            key={word}
            to="/approvals"
            search={{ ...search, view: word === "mine" ? undefined : word, cursor: undefined, open: undefined }}
            activeProps={{}}
            aria-current={word === view ? "true" : undefined}
            className={look(word === view)}
          >
            {name}
          </Link>
        ))}
      </nav>
      <nav
        aria-label="Filter by risk"
        className={clsx(
          "flex flex-wrap gap-1.5 sm:ml-auto",
          ["everything", "absences", "rules"].includes(view) && "hidden",
        )}
      >
        {(["critical", "high", "medium", "low"] as const).map((risk) => (
          <Link
            key={risk}
            to="/approvals"
            search={{ ...search, risk: search.risk === risk ? undefined : risk, cursor: undefined, open: undefined }}
            activeProps={{}}
            aria-current={search.risk === risk ? "true" : undefined}
            className={look(search.risk === risk)}
          >
            {risk}
          </Link>
        ))}
      </nav>
    </div>
  );
}

interface RowProps {
  readonly row: Listed;
  readonly current: boolean;
  readonly wide: boolean;
  readonly onOpen: () => void;
}

function Row({ row, current, wide, onOpen }: RowProps) {
  return (
    <li data-row={row.approval_id} className={clsx("relative", current ? "bg-accent-soft" : "hover:bg-sunken")}>
      {current ? <span aria-hidden="true" className="absolute inset-y-0 left-0 w-1 bg-accent" /> : null}
      <Link
        to="/approvals/$task"
        params={{ task: row.task_id }}
        aria-current={current || undefined}
        activeProps={{}}
        onClick={(event) => {
          if (!wide || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
        className="grid gap-2 px-4 py-3.5"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 font-medium break-words">{row.title ?? <WhoDoesWhat row={row} />}</span>
          <RelativeTime time={row.created_at} className="shrink-0 text-xs text-muted" />
        </span>
        <span className="line-clamp-2 text-sm text-muted">
          {row.title === null ? null : (
            <>
              <WhoDoesWhat row={row} />:{" "}
            </>
          )}
          {row.reasons.join(" ")}
        </span>
        <span className="flex flex-wrap items-center gap-2">
          {row.status === "pending" ? <RiskBadge level={row.risk} /> : <StatusBadge status={row.status} />}
          <code className="id order-last ml-auto text-muted" title={row.task_id}>
            …{row.task_id.slice(-5)}
          </code>
          {row.run === null ? null : (
            <span className="text-xs text-muted">
              {row.run.workflow}, step {row.run.step}
            </span>
          )}
          {row.approvers > 1 ? (
            <span className="text-xs text-muted">
              {row.approvals} of {row.approvers}
            </span>
          ) : null}
          {row.claim === null ? null : <Badge>claimed by {row.claim.by.name}</Badge>}
          {row.standing_in_for === null ? null : <Badge tone="info">for {row.standing_in_for.name}</Badge>}
          <HeldLine held={row.held_by} className="w-full" />
          {row.expires_at && row.status === "pending" ? (
            <span className="text-xs text-warn">
              expires <RelativeTime time={row.expires_at} />
            </span>
          ) : null}
        </span>
      </Link>
    </li>
  );
}

function WhoDoesWhat({ row: { agent, skill, tool } }: Pick<RowProps, "row">) {
  return (
    <>
      {agent} <span className="font-normal text-muted">·</span> {tool ?? wantedOf(skill)}
    </>
  );
}

function Beside({ id }: { readonly id: string }) {
  const { data: approval, error, refetch } = useLive(readApproval(id), { every: liveEvery });
  if (approval) return <Opened approval={approval} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid gap-4 rounded-lg border border-line bg-surface p-5">
      <Skeleton lines={8} />
    </div>
  );
}

function Opened({ approval }: { readonly approval: Detail }) {
  const fits = useDigestFits(approval);
  const making = useDecision(approval);
  const lead = [approval.title === null ? "" : `${asksText(approval)}.`, roundText(approval)].filter(Boolean).join(" ");
  return (
    <section aria-labelledby="opened" className="min-w-0">
      <h2 id="opened" className="mb-3 text-lg font-semibold tracking-tight">
        {titleOf(approval)}
      </h2>
      {lead ? <p className="-mt-2 mb-3 text-sm text-muted">{lead}</p> : null}
      <ApprovalView
        approval={approval}
        fits={fits}
        decision={<Decision approval={approval} fits={fits} making={making} />}
      />
    </section>
  );
}

const ask = `curl -sS ${location.origin}/v1/agents/sales/tasks \\
  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" \\
  -d '{"task": "qualify_lead", "lead_id": "ld_1001", "require_approval": true}'`;

function Nothing({ search, waiting }: { readonly search: InboxSearch; readonly waiting: number }) {
  const { view = "mine", risk, agent, cursor } = search;
  if (risk ?? agent ?? cursor) {
    return (
      <NothingFits title="No matching approvals">
        <Link to="/approvals" search={{ view: search.view }}>
          Clear filters
        </Link>
      </NothingFits>
    );
  }
  if (view === "decided")
    return <EmptyState title="No decisions yet">Decisions appear here with who made them and why.</EmptyState>;
  if (view === "mine" && waiting > 0) {
    return (
      <EmptyState title="No approvals for you">
        Pending approvals are for others to decide.{" "}
        <Link
          to="/approvals"
          search={{ view: "pending" }}
          className="font-medium text-accent underline underline-offset-2"
        >
          Show all pending
        </Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No pending approvals" command={ask}>
      Approvals appear here when a caller, a policy, the evaluation gate or the risk requires one. This call requires
      one:
    </EmptyState>
  );
}
