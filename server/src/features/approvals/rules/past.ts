import { type DataClass, scanJson } from "@aos/data-classes";
import { all, select, sql } from "../../../db/scoped.ts";
import { isOfRule, type RuleDefinition } from "../../../kernel/approval-rules.ts";
import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { roles } from "../../../kernel/principal.ts";
import { type RiskLevel, riskLevels } from "../../../kernel/risk.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { membersOf } from "../../../kernel/stored-json.ts";
import { memberPlace } from "../../admin/public.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { stepRows, taskRows } from "../../tasks/shared-rows.ts";
import { decidePermission } from "../requests/persons.ts";
import { asksMember } from "../requests/required.ts";
import { lackingAmong } from "./rules.ts";
import type { ApprovalRuleTest } from "./schemas.ts";
import { stageView } from "./view.ts";

// What a rule would have caught of past work: the latest tasks, judged by the same function as calls are.

type Context = CallContext & (ReadContext | WriteContext);

const dayMs = 86_400_000;
const daysOfWaits = 180;
/** Tasks that are read at a time where their inputs are not. */
const pageSize = 1_000;
/** Rows after which other calls go on. */
const rowsAtOnce = 20;
/** Where a test ends, however many tasks are wanted: characters of input, and calls. `page`: tasks whose inputs are read at a time, as each may be large. */
const mostLookedAt = { characters: 64 * 1024 * 1024, calls: 100_000, page: 50 };
/** Approvals of one kind from which on their own times count. */
const enough = 5;
const most = { examples: 20, agents: 20, days: 90 };
/** Most characters of an input in which data is looked for, as where policies look. */
const mostScanned = 65_536;

interface Day {
  day: string;
  tasks: number;
  first: Date;
  floor: string;
}

/** The latest tasks by day, without their inputs. */
const daysOf = (ctx: Context, tasks: number, from = ""): Promise<Day[]> =>
  ctx.db.query<Day>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as tasks, min(created_at) as first, min(id) as floor
     from (select id, created_at from ${taskRows} tasks where organization = $1 and environment = $2 and id >= $4 order by id desc limit $3) latest
     group by 1 order by 1`,
    [ctx.scope.organization, ctx.scope.environment, tasks, from],
  );

interface Past {
  id: string;
  agent: string;
  skill: string;
  risk_level: RiskLevel;
  created_at: Date;
  /** Null: the task has no such call. */
  tool: string | null;
  input: string | null;
  asked: boolean;
}

/** Tasks from the id `floor` on that may be of the rule, the latest first, with their calls if it is about calls; page by page. */
async function* pastOf(
  ctx: Context,
  { when }: RuleDefinition,
  floor: string,
  page: number,
): AsyncGenerator<readonly Past[]> {
  const { agents = null, skills = null, tools = null, risk_at_least: risk } = when;
  const named = (names: readonly string[] | null) => (names?.includes("*") ? null : names);
  const levels = risk === undefined ? null : riskLevels.slice(riskLevels.indexOf(risk));
  const readsInput = when.amount !== undefined || when.data_class_at_least !== undefined;
  const work = tools === null ? "t" : "s";
  const calls =
    tools === null
      ? ""
      : `left join ${stepRows} s on s.organization = $1 and s.environment = $2 and s.task_id = t.id and s.kind = 'tool' and ($9::text[] is null or s.name = any($9))`;
  let before: string | null = null;
  for (;;) {
    const rows: Past[] = await ctx.db.query<Past>(
      `select t.id, t.agent, t.skill, t.risk_level, t.created_at, ${tools === null ? "null" : "s.name"} as tool,
         ${readsInput ? `${work}.input` : "null"} as input,
         exists (select from approvals a where a.organization = $1 and a.environment = $2 and a.task_id = t.id
           and a.tool is not distinct from ${tools === null ? "null" : "s.name"}) as asked
       from (select id, agent, skill, risk_level, created_at, input from ${taskRows} tasks
         where organization = $1 and environment = $2 and id >= $3 and ($4::text is null or id < $4)
           and ($5::text[] is null or agent = any($5)) and ($6::text[] is null or skill = any($6)) and ($7::text[] is null or risk_level = any($7))
         order by id desc limit $8) t ${calls} order by t.id desc`,
      [
        ctx.scope.organization,
        ctx.scope.environment,
        floor,
        before,
        named(agents),
        named(skills),
        levels,
        readsInput ? page : pageSize,
        ...(tools === null ? [] : [named(tools)]),
      ],
    );
    if (rows.length === 0) return;
    yield rows;
    before = rows.at(-1)?.id ?? null;
  }
}

/** The most protected class that detectors find; what they cannot read whole counts as restricted. */
function levelIn(input: Readonly<Record<string, unknown>>): DataClass {
  const { data_class, complete } = scanJson(input, { findings: 0, characters: mostScanned });
  return complete ? data_class : "restricted";
}

function isCaught({ when }: RuleDefinition, { agent, skill, risk_level: risk, tool, input: text }: Past): boolean {
  const input = text === null ? {} : membersOf(text);
  return isOfRule(when, { agent, skill, risk, tool: tool ?? undefined, input, dataLevel: () => levelIn(input) });
}

interface Kind {
  all: boolean;
  agent: string | null;
  skill: string | null;
  tool: string | null;
  approvals: number;
  typical: number;
  long: number;
}

/** How long approvals took until they were decided, in seconds: of each kind, and of all. */
const waits = (ctx: Context): Promise<Kind[]> =>
  ctx.db.query<Kind>(
    `select grouping(agent) = 1 as all, agent, skill, tool, count(*)::int as approvals,
       percentile_cont(0.5) within group (order by seconds) as typical, percentile_cont(0.9) within group (order by seconds) as long
     from (select agent, skill, tool, extract(epoch from decided_at - created_at)::float8 as seconds from approvals
       where organization = $1 and environment = $2 and id >= $3 and decided_at is not null
         and status in ('approved', 'consumed', 'stale', 'rejected', 'changes_requested')) decided
     group by grouping sets ((agent, skill, tool), ())`,
    [ctx.scope.organization, ctx.scope.environment, lowestId("apr", ctx.now - daysOfWaits * dayMs)],
  );

interface Weighed {
  readonly value: number;
  readonly times: number;
}

/** The middle of values each of which stands so many times. */
function median(values: readonly Weighed[]): number {
  let left = Math.floor((values.reduce((sum, { times }) => sum + times, 0) - 1) / 2);
  for (const { value, times } of [...values].sort((a, b) => a.value - b.value)) {
    if (left < times) return value;
    left -= times;
  }
  return 0;
}

/** What of the past was caught, counted: never all of it in memory. */
class Caught {
  count = 0;
  asked = 0;
  readonly days = new Map<string, number>();
  readonly agents = new Map<string, { caught: number; asked_anyway: number }>();
  /** By agent, skill and tool, as JSON. */
  readonly kinds = new Map<string, { caught: number; unasked: number }>();
  readonly examples: Omit<Past, "input">[] = [];

  add({ id, agent, skill, risk_level, created_at, tool, asked }: Past): void {
    const day = timestamp(created_at.getTime()).slice(0, 10);
    this.count++;
    if (asked) this.asked++;
    this.days.set(day, (this.days.get(day) ?? 0) + 1);
    const { caught, asked_anyway } = this.agents.get(agent) ?? { caught: 0, asked_anyway: 0 };
    this.agents.set(agent, { caught: caught + 1, asked_anyway: asked_anyway + Number(asked) });
    const key = keyOf({ agent, skill, tool });
    const kind = this.kinds.get(key) ?? { caught: 0, unasked: 0 };
    this.kinds.set(key, { caught: kind.caught + 1, unasked: kind.unasked + Number(!asked) });
    if (this.examples.length < most.examples)
      this.examples.push({ id, agent, skill, risk_level, created_at, tool, asked });
  }
}

const keyOf = ({ agent, skill, tool }: Pick<Kind, "agent" | "skill" | "tool">) => JSON.stringify([agent, skill, tool]);

async function waitOf(
  ctx: Context,
  { require: { stages } }: RuleDefinition,
  caught: Caught,
): Promise<ApprovalRuleTest["wait"]> {
  const kinds = await waits(ctx);
  const all = kinds.find((kind) => kind.all);
  if (caught.count === 0 || !all || all.approvals === 0) return null;
  const known = new Map(
    kinds.filter((kind) => !kind.all && kind.approvals >= enough).map((kind) => [keyOf(kind), kind]),
  );
  const each = [...caught.kinds].map(([key, one]) => ({ ...one, kind: known.get(key) ?? all }));
  const weighed = (value: (kind: Kind) => number) => each.map((one) => ({ value: value(one.kind), times: one.caught }));
  const times = (seconds: number): number => Math.round(seconds * stages.length);
  return {
    approvals: all.approvals,
    same_kind: each.reduce((sum, { kind, caught: own }) => sum + (kind.all ? 0 : own), 0),
    typical_seconds: times(median(weighed(({ typical }) => typical))),
    long_seconds: times(median(weighed(({ long }) => long))),
    total_seconds: times(each.reduce((sum, { unasked, kind }) => sum + unasked * kind.typical, 0)),
  };
}

/** The stages of a rule, with how many persons could approve in each now, and how many lack so that it could be met. */
async function stagesOf(
  ctx: Context,
  { require: { stages } }: RuleDefinition,
): Promise<Pick<ApprovalRuleTest, "stages" | "missing">> {
  const deciding = roles.filter((role) => roleGrants(role, decidePermission));
  const persons = select(ctx, memberRows, "m")
    .select("m.id")
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where(sql<boolean>`m.roles ->> ${ctx.scope.environment}::text = any(${deciding}::text[])`);
  const places = (await all(ctx, persons)).map(({ id }) => memberPlace(ctx, id));
  return {
    stages: stages.map((stage) => ({
      ...stageView(stage),
      persons: places.filter((place) => asksMember(stage, place)).length,
    })),
    missing: lackingAmong(
      stages,
      places.map(({ id }) => id),
      (id) => memberPlace(ctx, id),
    ),
  };
}

/** Judges past work from the id `floor` on. `reached`: the id at which it ended before that, as it had looked at enough. */
async function lookAt(
  ctx: Context,
  definition: RuleDefinition,
  floor: string,
  bounds: typeof mostLookedAt,
): Promise<{ readonly caught: Caught; readonly calls: number; readonly reached: string | null }> {
  const caught = new Caught();
  let [rows, calls, characters] = [0, 0, 0];
  for await (const page of pastOf(ctx, definition, floor, bounds.page)) {
    for (const one of page) {
      if (one.tool !== null) calls++;
      characters += one.input?.length ?? 0;
      if (isCaught(definition, one)) caught.add(one);
      if (++rows % rowsAtOnce === 0) await new Promise(setImmediate);
    }
    const last = page.at(-1);
    if (last && (calls >= bounds.calls || characters >= bounds.characters)) return { caught, calls, reached: last.id };
  }
  return { caught, calls, reached: null };
}

/** Judges the latest tasks, or calls of their tools, as the rule would have. Reads only, page by page, and no more than `bounds`. */
export async function testRuleOn(
  ctx: Context,
  rule: string,
  definition: RuleDefinition,
  tasks: number,
  bounds = mostLookedAt,
): Promise<ApprovalRuleTest> {
  const began = performance.now();
  const wanted = await daysOf(ctx, tasks);
  const floor = wanted.map((day) => day.floor).sort()[0] ?? "";
  const { caught, calls, reached } = await lookAt(ctx, definition, floor, bounds);
  const days = reached === null ? wanted : await daysOf(ctx, tasks, reached);
  const byAgent = [...caught.agents].map(([agent, own]) => ({ agent, ...own }));
  const first = days.map((day) => day.first).sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    rule,
    looked_at: { tasks: days.reduce((sum, day) => sum + day.tasks, 0), calls, from: isoTime(first ?? null) },
    caught: caught.count,
    asked_anyway: caught.asked,
    ...(await stagesOf(ctx, definition)),
    wait: await waitOf(ctx, definition, caught),
    by_agent: byAgent.sort((a, b) => b.caught - a.caught || (a.agent < b.agent ? -1 : 1)).slice(0, most.agents),
    by_day: days.slice(-most.days).map((day) => ({
      day: day.day,
      tasks: day.tasks,
      caught: caught.days.get(day.day) ?? 0,
    })),
    examples: caught.examples.map(({ id, tool, agent, skill, risk_level, asked, created_at }) => ({
      task_id: id,
      tool,
      agent,
      skill,
      risk: risk_level,
      asked_anyway: asked,
      created_at: timestamp(created_at.getTime()),
    })),
    duration_ms: Math.round(performance.now() - began),
  };
}
