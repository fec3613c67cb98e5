import type { Compensation, StepKind, Trigger, WorkflowDefinition } from "./definition.ts";
import { type PlannedStep, planOf } from "./plan.ts";

// A workflow as a graph, for programs and as a picture in Mermaid.

export interface GraphNode {
  readonly id: string;
  readonly kind: StepKind | "trigger";
  readonly title: string;
  readonly pointer: string;
  readonly parent: string | null;
  readonly branch: string | null;
  readonly condition: string | null;
  readonly loop: string | null;
  readonly undo: string | null;
}
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "needs" | "branch" | "covers" | "triggers";
}
export interface WorkflowGraph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
}

/** Nodes in the order of the file, triggers first; edges to steps that are not there are left out. */
export function graphOf(definition: WorkflowDefinition): WorkflowGraph {
  const { steps, byId } = planOf(definition);
  const triggers = (definition.triggers ?? []).map(triggerNode);
  const starts = steps.filter(({ parent, needs }) => parent === null && needs.length === 0);
  const edges = [
    ...triggers.flatMap(({ id }) => starts.map((step): GraphEdge => ({ from: id, to: step.id, kind: "triggers" }))),
    ...steps.flatMap(edgesOf),
  ];
  const known = new Set([...triggers.map(({ id }) => id), ...byId.keys()]);
  return {
    nodes: [...triggers, ...steps.map(nodeOf)],
    edges: edges.filter(({ from, to }) => known.has(from) && known.has(to)),
  };
}

function nodeOf({ id, kind, step, pointer, parent, branch }: PlannedStep): GraphNode {
  return {
    id,
    kind,
    pointer,
    parent,
    branch,
    title: step.title ?? `${id}: ${what(step) ?? kind}`,
    condition: step.when ?? null,
    loop: step.for_each?.in ?? null,
    undo: step.compensate === undefined ? null : (what(step.compensate) ?? null),
  };
}

function what({ agent, tool, workflow }: Compensation & { workflow?: { name: string } }): string | undefined {
  if (agent) return `${agent.name} ${agent.skill}`;
  return tool ? `${tool.agent} ${tool.name}` : workflow?.name;
}

const plain = { parent: null, branch: null, condition: null, loop: null, undo: null };

function triggerNode(trigger: Trigger, at: number): GraphNode {
  const title =
    "schedule" in trigger
      ? `${trigger.schedule} ${trigger.time_zone ?? "UTC"}`
      : "hook" in trigger
        ? `hook ${trigger.hook}`
        : trigger.event;
  return { ...plain, id: `trigger:${at}`, kind: "trigger", title, pointer: `/triggers/${at}` };
}

function edgesOf({ id, needs, branches, step }: PlannedStep): GraphEdge[] {
  return [
    ...needs.map((from): GraphEdge => ({ from, to: id, kind: "needs" })),
    ...branches.flatMap(([, [first]]) =>
      first === undefined ? [] : [{ from: id, to: first, kind: "branch" } as const],
    ),
    ...(step.approval?.covers ?? []).map((to): GraphEdge => ({ from: id, to, kind: "covers" })),
  ];
}

const shapes: Readonly<Record<GraphNode["kind"], readonly [string, string]>> = {
  agent: ["(", ")"],
  tool: ["[", "]"],
  approval: ["{{", "}}"],
  wait: ["([", "])"],
  parallel: ["[/", "/]"],
  workflow: ["[[", "]]"],
  set: ["[", "]"],
  end: ["((", "))"],
  trigger: [">", "]"],
};
const arrows: Readonly<Record<GraphEdge["kind"], string>> = {
  needs: "-->",
  branch: "-->",
  covers: "-.->|approves|",
  triggers: "-.->",
};

/** The graph as a flowchart of Mermaid. Names of nodes are numbers, so that no id is read as a word of Mermaid. */
export function mermaidOf({ nodes, edges }: WorkflowGraph): string {
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const boxes = nodes.map(({ id, kind, title, condition, loop, undo }) => {
    const notes = [
      ...(condition === null ? [] : [`when ${condition}`]),
      ...(loop === null ? [] : [`for each of ${loop}`]),
      ...(undo === null ? [] : [`undone by ${undo}`]),
    ];
    const [open, close] = shapes[kind];
    return `  ${names.get(id)}${open}"${[title, ...notes].map(escaped).join("<br>")}"${close}`;
  });
  const lines = edges.map(({ from, to, kind }) => `  ${names.get(from)} ${arrows[kind]} ${names.get(to)}`);
  return ["flowchart TD", ...boxes, ...lines, ""].join("\n");
}

/** Mermaid reads `#…;` as a character, and nothing else as more than text. */
const escaped = (text: string): string =>
  text.replaceAll(/[#"<>&`\\[\]{}()|;\n\r]/g, (one) => `#${one.codePointAt(0)};`).slice(0, 500);
