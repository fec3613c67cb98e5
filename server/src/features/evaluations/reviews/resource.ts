import { Type } from "typebox";
import { isId } from "../../../kernel/ids.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { computed } from "../../../resources/rows.ts";
import { erasedBy, erasedWithWork, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { exampleMonitor } from "../example.ts";
import { Monitor, MonitorId } from "./schemas.ts";
import { type MonitorResults, monitorView } from "./view.ts";

export const owned = ownTables({
  review_monitors: {
    keeps: untilRemoved("A monitor is deleted by people; its reviews stay."),
    personal: { columns: ["author", "actor", "stopped_reason"], erased: erasedBy("evaluations.removeMonitor") },
  },
  task_reviews: {
    keeps: evidence("Which tasks were drawn at random: the accepted share of them is what trust rests on."),
    personal: exempt("names a task"),
  },
  task_review_verdicts: {
    keeps: evidence("How reviewers judged, and how far they agree."),
    personal: {
      columns: ["reviewer", "accountable", "comment"],
      erased: erasedWithWork(async ({ db, scope: { organization, environment } }, { tasks }) => {
        await db.query(
          `update task_review_verdicts v set comment = null from task_reviews r
           where v.organization = $1 and v.environment = $2 and r.organization = $1 and r.environment = $2
             and r.id = v.review_id and r.task_id = any($3::text[])`,
          [organization, environment, tasks],
        );
      }),
    },
  },
});

const tally = `(
  select json_build_object('sampled', count(*), 'open', count(*) filter (where open), 'judged', count(first),
    'accepted', count(*) filter (where first), 'pairs', count(second),
    'both', count(*) filter (where first and second), 'neither', count(*) filter (where not first and not second),
    'first_accepts', count(*) filter (where second is not null and first), 'second_accepts', count(*) filter (where second))
  from (
    select t.open, v.given[1] as first, v.given[2] as second from task_reviews t
    cross join lateral (
      select array_agg(accepted order by submitted_at, reviewer) as given from task_review_verdicts v
      where v.organization = t.organization and v.environment = t.environment and v.review_id = t.id) v
    where t.organization = r.organization and t.environment = r.environment and t.monitor_id = r.id) drawn)`;

export const monitors = defineResource({
  table: owned.review_monitors,
  key: "id",
  isKey: (text) => isId(text, "mon"),
  computed: computed<MonitorResults>({ tally }),
  path: "/v1/evaluations/monitors",
  member: Type.Object({ monitor: MonitorId }),
  item: Monitor,
  identity: "monitor_id",
  example: { params: { monitor: exampleMonitor.monitor_id }, item: exampleMonitor },
  view: monitorView,
  object: "monitor",
  objects: "monitors",
  permission: { read: "evaluations:read", change: "evaluations:write" },
  governs: { read: "review.read", change: "review.monitor" },
  decides: "rules",
});
