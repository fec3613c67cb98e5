// The picture of a definition: its steps as nodes, what they need as edges. Takes any draft, however far it is written.

export const stepKinds = ["agent", "tool", "approval", "wait", "parallel", "workflow", "set", "end"] as const;
export type StepKind = (typeof stepKinds)[number];

export interface GraphNode {
  readonly id: string;
  readonly kind: StepKind | "trigger";
  readonly title: string;
  readonly subtitle: string;
  /** JSON Pointer to it in the definition. */
  readonly pointer: string;
  /** The step `parallel` that it stands in, and in which branch. */
  readonly parent: string | null;
  readonly branch: string | null;
  readonly condition: string | null;
  /** It has an action that undoes it. */
  readonly undo: boolean;
  /** Its action is done once per item of this list. */
  readonly loop: string | null;
}
export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Written under `needs`; else it follows from the order of the file. */
  readonly written: boolean;
}
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

interface Place {
  readonly pointer: string;
  readonly parent: string | null;
  readonly branch: string | null;
}

/** Nodes and edges of a definition, in the order of its file, those of branches behind their parent. Edges to steps that are not there are left out. */
export function graphOf(definition: unknown, { triggers = false } = {}): Graph {
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  const { steps, ...rest } = membersOf(definition);
  const firsts = collect(listOf(steps), { pointer: "/steps", parent: null, branch: null }, nodes, edges);
  if (triggers)
    for (const [at, one] of listOf(rest.triggers).entries()) {
      const trigger = triggerNode(membersOf(one), at);
      nodes.set(trigger.id, trigger);
      edges.push(...firsts.map((to) => ({ id: `${trigger.id}→${to}`, from: trigger.id, to, written: false })));
    }
  return { nodes: [...nodes.values()], edges: edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to)) };
}

/** Collects the steps of one list; returns those that begin at once. */
function collect(steps: readonly unknown[], place: Place, nodes: Map<string, GraphNode>, edges: GraphEdge[]): string[] {
  const firsts: string[] = [];
  let above: string | undefined;
  for (const [at, one] of steps.entries()) {
    const step = membersOf(one);
    const id = text(step.id);
    if (id === "" || nodes.has(id)) continue;
    const pointer = `${place.pointer}/${at}`;
    nodes.set(id, nodeOf(step, id, { ...place, pointer }));
    const written = Array.isArray(step.needs);
    const needs = written ? listOf(step.needs).map(text) : above === undefined ? [] : [above];
    if (needs.length === 0) firsts.push(id);
    edges.push(...needs.map((from) => ({ id: `${from}→${id}`, from, to: id, written })));
    for (const [branch, inner] of Object.entries(membersOf(membersOf(step.parallel).branches)))
      collect(listOf(inner), { pointer: `${pointer}/parallel/branches/${branch}`, parent: id, branch }, nodes, edges);
    above = id;
  }
  return firsts;
}

export const kindOf = (step: Members): StepKind => stepKinds.find((kind) => step[kind] !== undefined) ?? "set";

function nodeOf(step: Members, id: string, { pointer, parent, branch }: Place): GraphNode {
  const kind = kindOf(step);
  const loop = membersOf(step.for_each);
  return {
    id,
    kind,
    pointer,
    parent,
    branch,
    title: text(step.title) || id,
    subtitle: subtitles[kind](membersOf(step[kind])),
    condition: text(step.when) || null,
    undo: step.compensate !== undefined,
    loop: step.for_each === undefined ? null : text(loop.in) || "a list",
  };
}

const subtitles: Readonly<Record<StepKind, (call: Members) => string>> = {
  agent: ({ name, skill }) => [text(name), text(skill)].filter(Boolean).join(" · "),
  tool: ({ agent, name }) => [text(agent), text(name)].filter(Boolean).join(" · "),
  approval: ({ covers }) => (Array.isArray(covers) ? `covers ${covers.map(text).join(", ")}` : "people decide"),
  wait: waitText,
  parallel: ({ branches, join }) => {
    const count = Object.keys(membersOf(branches)).length;
    return `${count} branches, ${joinText(join)}`;
  },
  workflow: ({ name, version }) => (text(version) === "" ? text(name) : `${text(name)}, version ${text(version)}`),
  set: (values) => Object.keys(values).join(", "),
  end: ({ status, reason }) => [text(status) || "completed", text(reason)].filter(Boolean).join(": "),
};

function waitText(wait: Members): string {
  const most = text(wait.at_most) === "" ? "" : `, at most ${text(wait.at_most)}`;
  if (wait.for !== undefined) return `for ${text(wait.for)}`;
  if (wait.until !== undefined) return `until ${text(wait.until)}`;
  if (wait.any_of !== undefined)
    return `${listOf(wait.any_of)
      .map((one) => text(membersOf(one).event))
      .join(" or ")}${most}`;
  return `${text(wait.event)}${most}`;
}

const joinText = (join: unknown): string =>
  typeof join === "number" ? `${join} must end well` : join === "any" ? "one must end well" : "all must end well";

function triggerNode(trigger: Members, at: number): GraphNode {
  const { event, schedule, hook, time_zone: zone } = trigger;
  const [title, subtitle] =
    schedule !== undefined
      ? [text(schedule), text(zone) || "UTC"]
      : hook !== undefined
        ? [text(hook), "inbound hook"]
        : [text(event), "event"];
  return {
    id: `trigger ${at}`,
    kind: "trigger",
    title,
    subtitle,
    pointer: `/triggers/${at}`,
    parent: null,
    branch: null,
    condition: null,
    undo: false,
    loop: null,
  };
}

/** The node that a finding is about: the one whose pointer is the longest beginning of its own. */
export function nodeAt({ nodes }: Graph, pointer: string): GraphNode | undefined {
  const fits = nodes.filter((node) => pointer === node.pointer || pointer.startsWith(`${node.pointer}/`));
  return fits.sort((a, b) => b.pointer.length - a.pointer.length)[0];
}
