import { type Document, isMap, isNode, isSeq, LineCounter, parse, parseDocument, stringify, type YAMLSeq } from "yaml";
import { graphOf, kindOf, type StepKind } from "../graph/model.ts";

// One draft, as text. The picture changes it through these: each takes the text and returns the new one, comments and order kept.

export interface Place {
  readonly line: number;
  readonly column: number;
}
export interface Draft {
  /** Undefined where the text is no YAML. */
  readonly definition: unknown;
  readonly fault: (Place & { readonly detail: string }) | null;
  /** Where in the text a JSON Pointer leads; the nearest member around it where it leads nowhere. */
  readonly placeOf: (pointer: string) => Place;
}

const options = { prettyErrors: false } as const;
const written = { lineWidth: 120, flowCollectionPadding: true } as const;

/** Reads a draft: YAML, of which JSON is a part. */
export function draftOf(text: string): Draft {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const [error] = document.errors;
  if (error !== undefined)
    return {
      definition: undefined,
      fault: { ...place(error.pos[0]), detail: error.message },
      placeOf: () => ({ line: 1, column: 1 }),
    };
  return {
    definition: document.toJS({ maxAliasCount: 100 }),
    fault: null,
    placeOf: (pointer) => place(offsetOf(document, pathOf(pointer))),
  };
}

const pathOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

function offsetOf(document: Document, path: readonly string[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const holder: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const name = path[length - 1] as string;
    if (isMap(holder)) {
      const key = holder.items.find(({ key: one }) => String(one) === name)?.key;
      if (isNode(key) && key.range) return key.range[0];
    }
    const node: unknown = isSeq(holder) ? holder.get(Number(name), true) : undefined;
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** The text of a definition that came without one. */
export const textOf = (definition: unknown): string => stringify(definition, written);

/** The text of a value inside a form, and back; undefined where nothing is written. Throws where it is no YAML. */
export const valueText = (value: unknown): string => (value === undefined ? "" : stringify(value, written).trimEnd());
export const valueFrom = (text: string): unknown => (text.trim() === "" ? undefined : parse(text));

/** Changes the document of a text that could be read; one that could not stays as it is. */
function changed(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text, options);
  if (document.errors.length > 0) return text;
  change(document);
  return document.toString(written);
}

/** Sets a member of the step at a pointer; undefined takes it out. */
export const setMember = (text: string, pointer: string, path: readonly string[], value: unknown): string =>
  changed(text, (document) => {
    const place = [...pathOf(pointer), ...path];
    if (value === undefined) document.deleteIn(place);
    else document.setIn(place, document.createNode(value));
  });

/** What a new step of a kind begins with. */
const beginnings: Readonly<Record<StepKind, unknown>> = {
  agent: { name: "", skill: "", input: {} },
  tool: { agent: "", name: "", arguments: {} },
  approval: { title: "'Approve this'" },
  wait: { for: "1h" },
  parallel: { branches: { one: [{ id: "first", set: {} }], two: [{ id: "second", set: {} }] } },
  workflow: { name: "", input: {} },
  set: {},
  end: { status: "completed" },
};

/** Adds a step behind the one with this id, in its list; at the end of the workflow where there is none. Returns the new step's id, too. */
export function addStep(text: string, kind: StepKind, after: string | null): { text: string; id: string } {
  const { nodes } = graphOf(draftOf(text).definition);
  const taken = new Set(nodes.map(({ id }) => id));
  const unused = (word: string): string => {
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? word : `${word}_${number}`;
      if (!taken.has(id)) return taken.add(id) && id;
    }
  };
  const id = unused(kind);
  const step = { id, [kind]: structuredClone(beginnings[kind]) };
  if (kind === "parallel") {
    const { branches } = step.parallel as { branches: Record<string, { id: string }[]> };
    for (const [first] of Object.values(branches)) if (first) first.id = unused(first.id);
  }
  const behind = nodes.find((node) => node.id === after)?.pointer;
  const added = changed(text, (document) => {
    const path = behind === undefined ? [] : pathOf(behind);
    const list = document.getIn(path.length === 0 ? ["steps"] : path.slice(0, -1), true);
    const node = document.createNode(step);
    if (!isSeq(list)) document.setIn(["steps"], document.createNode([step]));
    else list.items.splice(path.length === 0 ? list.items.length : Number(path.at(-1)) + 1, 0, node);
  });
  return { text: added, id };
}

/** Takes a step out, with what it holds, and out of what others need. */
export function removeStep(text: string, id: string): string {
  const { nodes } = graphOf(draftOf(text).definition);
  const gone = nodes.find((node) => node.id === id);
  if (gone === undefined) return text;
  return changed(text, (document) => {
    for (const { pointer } of nodes) {
      const needs = document.getIn([...pathOf(pointer), "needs"], true);
      if (isSeq(needs)) needs.items = needs.items.filter((item) => String(item) !== id);
    }
    document.deleteIn(pathOf(gone.pointer));
  });
}

/** Makes a step need another one, or not any more. What it needs by the order of the file is written out then. */
export function setNeed(text: string, from: string, to: string, needed: boolean): string {
  const { nodes, edges } = graphOf(draftOf(text).definition);
  const target = nodes.find(({ id }) => id === to);
  if (target === undefined || from === to) return text;
  const before = edges.filter((edge) => edge.to === to).map((edge) => edge.from);
  const after = needed ? [...new Set([...before, from])] : before.filter((id) => id !== from);
  return changed(text, (document) => {
    const needs = document.createNode(after) as YAMLSeq;
    needs.flow = true;
    document.setIn([...pathOf(target.pointer), "needs"], needs);
  });
}

/** The step at a pointer, as far as it is written. */
export function stepAt(definition: unknown, pointer: string): Readonly<Record<string, unknown>> {
  let value = definition;
  for (const part of pathOf(pointer)) value = (value as Record<string, unknown> | undefined)?.[part];
  return (value ?? {}) as Record<string, unknown>;
}

/** Gives a step another kind of action: the former one is taken out. */
export function setKind(text: string, pointer: string, kind: StepKind): string {
  const step = stepAt(draftOf(text).definition, pointer);
  const before = kindOf(step);
  if (before === kind) return text;
  return setMember(setMember(text, pointer, [before], undefined), pointer, [kind], structuredClone(beginnings[kind]));
}
