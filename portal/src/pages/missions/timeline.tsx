import { Link } from "@tanstack/react-router";
import { listMissionTimeline } from "../../api/missions.ts";
import { usePrefetched } from "../../api/queries.ts";
import type { Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Timeline } from "../../ui/timeline.tsx";

const tones: readonly (readonly [end: RegExp, tone: Tone])[] = [
  [/\.(completed|accepted|answered|reached)$/, "good"],
  [/\.(failed|rejected|cancelled|blocked|expired|not_made)$/, "bad"],
  [/\.(asked|paused|decision|approval_required)$/, "warn"],
  [/\.(started|resumed)$/, "accent"],
];

/** What happened in a mission, in order. */
export function MissionTimeline({ mission }: { readonly mission: string }) {
  const { data } = usePrefetched(listMissionTimeline(mission), { every: 5000 });
  if (data.data.length === 0) return <EmptyState title="Nothing has happened yet">It begins with a plan.</EmptyState>;
  return (
    <Card>
      <Timeline
        label="What happened"
        moments={data.data.map(({ id, at, kind, text, task_id: task }) => ({
          key: id,
          time: at,
          title: text,
          tone: tones.find(([end]) => end.test(kind))?.[1] ?? "neutral",
          children: task ? (
            <Link
              to="/tasks/$task"
              params={{ task }}
              className="text-sm font-medium text-accent underline underline-offset-2"
            >
              Open the task
            </Link>
          ) : undefined,
        }))}
      />
      {data.has_more ? <p className="mt-3 text-sm text-muted">Only the newest {data.data.length} are shown.</p> : null}
    </Card>
  );
}
