import { Link } from "@tanstack/react-router";
import { listQueues } from "../../api/chat-people.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/time.tsx";

/** The queues of teams: who waits, since when, and what is late. Nothing where there are no teams. */
export function Queues({ current }: { readonly current: string | undefined }) {
  const { data } = useLive(listQueues(), { every: 5000 });
  const maySeeLevels = useMay("analytics:read");
  if (data === undefined || data.data.length === 0) return null;
  const queues = data.data.toSorted((a, b) => Number(b.mine) - Number(a.mine) || b.waiting - a.waiting);
  return (
    <div className="grid gap-2">
      <ul aria-label="Queues of teams" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {queues.map(({ team, title, mine, open, opens_at, waiting, answering, breached, oldest_at }) => (
          <li key={team}>
            <Link
              to="/conversations"
              search={current === team ? {} : { team }}
              aria-current={current === team}
              className="grid h-full gap-1 rounded-lg border border-line bg-surface p-4 text-sm shadow-card hover:border-line-strong aria-[current=true]:border-accent"
            >
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-semibold wrap-anywhere">{visible(title)}</span>
                {mine ? <Badge tone="accent">yours</Badge> : null}
                {open ? null : <Badge>closed</Badge>}
                {breached > 0 ? <Badge tone="bad">{breached} late</Badge> : null}
              </span>
              <span>
                {waiting === 0 ? "Nobody waits" : `${counted(waiting, "conversation")} waiting`}
                {answering === 0 ? "" : `, ${answering} with a person`}
              </span>
              <span className="text-muted">
                {oldest_at !== null ? (
                  <>
                    first asked <RelativeTime time={oldest_at} />
                  </>
                ) : opens_at !== null ? (
                  <>
                    opens <RelativeTime time={opens_at} />
                  </>
                ) : null}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {maySeeLevels ? (
        <Link
          to="/analytics/$view"
          params={{ view: "service-levels" }}
          className="w-fit text-sm text-accent underline underline-offset-2"
        >
          Service levels
        </Link>
      ) : null}
    </div>
  );
}
