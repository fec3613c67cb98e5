import { useLive } from "../../api/queries.ts";
import { readTaskTrust } from "../../api/tasks.ts";
import { percent, spoken } from "../../lib/words.ts";
import { RelativeTime } from "../../ui/time.tsx";

/** What the skill's tasks start with by now, and how people judged this one. */
export function Judged({ task }: { readonly task: string }) {
  const { data } = useLive(readTaskTrust(task));
  if (!data) return null;
  const now = data.skill_now;
  return (
    <div className="grid gap-1.5 text-sm text-muted">
      <p>
        Tasks of this skill and version start with {percent(now.score)} now ({percent(now.low)} to {percent(now.high)}).
      </p>
      {data.judgements.map(({ source, outcome, judged_at }) => (
        <p key={`${source} ${judged_at}`}>
          {spoken(source)}: {outcome === 1 ? "accepted" : outcome === 0 ? "not accepted" : `${percent(outcome)} right`},{" "}
          <RelativeTime time={judged_at} />
        </p>
      ))}
    </div>
  );
}
