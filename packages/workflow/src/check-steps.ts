import { kindsOf, reservedIds, type Step, type Wait, type WorkflowDefinition } from "./definition.ts";
import { errorAt, type Finding, under, warningAt } from "./findings.ts";
import type { Plan, PlannedStep } from "./plan.ts";

// What is wrong with steps as a graph, and with the members that each kind may have. What expressions say is checked elsewhere.

/** Faults of steps by themselves: their ids, their kind, and members that do not go with it. */
export function stepFindings(definition: WorkflowDefinition): Finding[] {
  const seen = new Map<string, string>();
  const findings: Finding[] = [];
  walk(definition.steps, "/steps", (step, pointer) => {
    const earlier = seen.get(step.id);
    if (earlier !== undefined)
      findings.push(
        errorAt(
          under(pointer, "id"),
          "id_taken",
          `${step.id} is the id of another step, too. Give each an id of its own.`,
        ),
      );
    seen.set(step.id, pointer);
    if (reservedIds.has(step.id))
      findings.push(errorAt(under(pointer, "id"), "reserved_id", `${step.id} is a word of CEL; take another id.`));
    findings.push(...membersOf(step, pointer));
  });
  return findings;
}

function walk(steps: readonly Step[], pointer: string, visit: (step: Step, pointer: string) => void): void {
  for (const [at, step] of steps.entries()) {
    visit(step, under(pointer, at));
    for (const [name, inner] of Object.entries(step.parallel?.branches ?? {}))
      walk(inner, `${pointer}/${at}/parallel/branches/${name}`, visit);
  }
}

const callers = new Set(["agent", "tool", "workflow"]);

function membersOf(step: Step, pointer: string): Finding[] {
  const kinds = kindsOf(step);
  const [kind] = kinds;
  if (kind === undefined)
    return [
      errorAt(
        pointer,
        "no_kind",
        `${step.id} says nothing to do: give it agent, tool, approval, wait, parallel, workflow, set or end.`,
      ),
    ];
  if (kinds.length > 1)
    return [errorAt(pointer, "two_kinds", `${step.id} says ${kinds.join(" and ")}: split it into several steps.`)];
  const findings: Finding[] = [];
  const only = (member: "for_each" | "retry" | "compensate", fits: boolean, what: string): void => {
    if (step[member] !== undefined && !fits)
      findings.push(
        errorAt(
          under(pointer, member),
          "not_here",
          `${member} goes with ${what}, and ${step.id} is of the kind ${kind}.`,
        ),
      );
  };
  only("for_each", callers.has(kind), "agent, tool and workflow");
  only("retry", callers.has(kind), "agent, tool and workflow");
  only("compensate", callers.has(kind), "agent, tool and workflow");
  if (step.for_each && step.compensate)
    findings.push(
      errorAt(
        under(pointer, "compensate"),
        "not_here",
        `A loop as a whole cannot be undone: put its action and the compensation into a workflow of their own.`,
      ),
    );
  if (step.wait) findings.push(...waitFindings(step.wait, under(pointer, "wait")));
  return findings;
}

function waitFindings(wait: Wait, pointer: string): Finding[] {
  const said = (["for", "until", "event", "any_of"] as const).filter((member) => wait[member] !== undefined);
  if (said.length !== 1)
    return [
      errorAt(
        pointer,
        "one_of",
        `A wait says one of for, until, event and any_of; this one says ${said.length === 0 ? "none" : said.join(" and ")}.`,
      ),
    ];
  const forTime = said[0] === "for" || said[0] === "until";
  const wrong = (["where", "since", "at_most", "on_timeout"] as const).filter(
    (member) => forTime && wait[member] !== undefined,
  );
  return wrong.map((member) =>
    errorAt(under(pointer, member), "not_here", `${member} goes with event and any_of; this waits for a time.`),
  );
}

/** Faults of the graph: needs that lead nowhere, circles, steps that are never reached, approvals of steps that do not wait for them. */
export function graphFindings(plan: Plan): Finding[] {
  return [...needFindings(plan), ...circleFindings(plan), ...unreachable(plan), ...coverFindings(plan)];
}

function needFindings(plan: Plan): Finding[] {
  return plan.steps.flatMap(({ id, needs, parent, branch, step, pointer }) =>
    needs.flatMap((need, at) => {
      const place = step.needs === undefined ? pointer : under(under(pointer, "needs"), at);
      const other = plan.byId.get(need);
      if (other === undefined)
        return [errorAt(place, "unknown_step", `There is no step ${need}.${nearest(need, plan)}`)];
      if (need === id) return [errorAt(place, "circle", `${id} needs itself.`)];
      if (other.parent === parent && other.branch === branch) return [];
      const where =
        other.parent === null ? "outside of its branch" : `in the branch ${other.branch} of ${other.parent}`;
      return [
        errorAt(
          place,
          "other_branch",
          `${need} stands ${where}; a step needs steps of its own branch. Let the parallel step itself need it.`,
        ),
      ];
    }),
  );
}

function nearest(name: string, plan: Plan): string {
  const close = plan.steps.find(({ id }) => id.startsWith(name.slice(0, 3)) && Math.abs(id.length - name.length) < 3);
  return close === undefined ? "" : ` Did you mean ${close.id}?`;
}

function circleFindings(plan: Plan): Finding[] {
  const order = orderOf(plan);
  const left = plan.steps.filter(({ id }) => !order.has(id));
  return left.map(({ id, pointer }) =>
    errorAt(
      pointer,
      "circle",
      `${id} needs a step that needs it: ${left
        .map((one) => one.id)
        .slice(0, 10)
        .join(", ")}.`,
    ),
  );
}

/** Steps in an order in which each stands after what it needs, with its place there; steps of a circle have none. */
export function orderOf(plan: Plan): ReadonlyMap<string, number> {
  const open = new Map(plan.steps.map(({ id, needs }) => [id, needs.filter((need) => plan.byId.has(need)).length]));
  const ready = plan.steps.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  const order = new Map<string, number>();
  for (const id of ready) {
    order.set(id, order.size);
    for (const next of (plan.byId.get(id) as PlannedStep).neededBy) {
      const left = (open.get(next) as number) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return order;
}

/** Steps that are over before another one begins. */
export interface Ancestors {
  has(id: string): boolean;
}

/**
 * Steps that are over before a step begins: what it needs, with all of that one's branches, and what its parents need. A row of bits per step, which is a
 * thousand times smaller than a set.
 */
export function ancestorsOf(plan: Plan): (id: string) => Ancestors {
  const place = new Map(plan.steps.map(({ id }, at) => [id, at]));
  const rows = new Map<string, Uint32Array>();
  const inside = insideOf(plan);
  const rowOf = ({ needs, parent }: PlannedStep): Uint32Array => {
    const row = new Uint32Array(Math.ceil(plan.steps.length / 32));
    const join = (bits: Uint32Array | undefined): void => {
      for (const [at, word] of bits?.entries() ?? []) row[at] = (row[at] as number) | word;
    };
    for (const need of needs) {
      for (const one of [need, ...(inside.get(need) ?? [])]) {
        const at = place.get(one);
        if (at !== undefined) row[at >> 5] = (row[at >> 5] as number) | (1 << (at & 31));
      }
      join(rows.get(need));
    }
    if (parent !== null) join(rows.get(parent));
    return row;
  };
  for (const planned of outermostFirst(plan)) rows.set(planned.id, rowOf(planned));
  return (id) => ({
    has: (other) => {
      const at = place.get(other);
      return at !== undefined && (((rows.get(id)?.[at >> 5] ?? 0) >>> (at & 31)) & 1) === 1;
    },
  });
}

/** The steps `parallel` in which a step stands, the innermost first. */
export function parentsOf(plan: Plan, id: string): readonly string[] {
  const parents: string[] = [];
  for (let parent = plan.byId.get(id)?.parent ?? null; parent !== null; parent = plan.byId.get(parent)?.parent ?? null)
    parents.push(parent);
  return parents;
}

/** Each step behind what it needs, and behind its parent. Needs never cross a branch, so outer steps can all come first. */
function outermostFirst(plan: Plan): readonly PlannedStep[] {
  const order = [...orderOf(plan).keys()].map((id) => plan.byId.get(id) as PlannedStep);
  const depths = new Map(order.map(({ id }) => [id, parentsOf(plan, id).length]));
  return order.sort((a, b) => (depths.get(a.id) as number) - (depths.get(b.id) as number));
}

/** Of each step `parallel`, all steps of its branches, those of branches within them too. */
function insideOf(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const inside = new Map<string, string[]>();
  for (const { id } of plan.steps)
    for (const parent of parentsOf(plan, id)) inside.set(parent, [...(inside.get(parent) ?? []), id]);
  return inside;
}

/** What stands behind a step that always ends the run is never done. */
function unreachable(plan: Plan): Finding[] {
  const ancestors = ancestorsOf(plan);
  const ends = plan.steps.filter(
    ({ kind, step, parent }) => kind === "end" && step.when === undefined && parent === null,
  );
  return plan.steps.flatMap(({ id, step, pointer }) => {
    if (step.when?.trim() === "false")
      return [warningAt(under(pointer, "when"), "unreachable", `${id} is never done: its condition is false.`)];
    const end = ends.find((one) => ancestors(id).has(one.id));
    return end
      ? [errorAt(pointer, "unreachable", `${id} is never done: ${end.id}, which it comes after, always ends the run.`)]
      : [];
  });
}

function coverFindings(plan: Plan): Finding[] {
  const ancestors = ancestorsOf(plan);
  return plan.steps.flatMap(({ id, step, pointer }) =>
    (step.approval?.covers ?? []).flatMap((covered, at) => {
      const place = under(under(under(pointer, "approval"), "covers"), at);
      const other = plan.byId.get(covered);
      if (other === undefined) return [errorAt(place, "unknown_step", `There is no step ${covered}.`)];
      if (other.kind !== "agent" && other.kind !== "tool")
        return [
          errorAt(place, "not_covered", `${covered} calls neither an agent nor a tool; there is nothing to approve.`),
        ];
      if (other.step.for_each)
        return [errorAt(place, "not_covered", `${covered} is a loop; let its items ask for approval themselves.`)];
      if (!ancestors(covered).has(id))
        return [errorAt(place, "not_covered", `${covered} does not come after ${id}: add ${id} to its needs.`)];
      return [];
    }),
  );
}
