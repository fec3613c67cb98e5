import { contents } from "../../server/src/kernel/decides.ts";
import { problemCatalogue } from "../../server/src/kernel/errors.ts";
import { eventCatalogue } from "../../server/src/kernel/events.ts";
import { describe, type OperationDescription } from "../../server/src/kernel/operation-seal.ts";
import { type Json, normalSchema } from "../../server/src/openapi/schema.ts";
import { groupOf, groups } from "../../server/src/openapi/tags.ts";
import { describedSignIn, insideOperations, publishedOperations } from "./registry.ts";

// The generated pages of the reference. They are made from the declarations, committed, and reviewed as a difference.

const notice = "<!-- Generated from the declarations in the code by `npm run gen`; changes made here are lost. -->";
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const code = (text: string): string => `\`${text}\``;
const list = (texts: readonly string[]): string => (texts.length === 0 ? "–" : texts.map(code).join(", "));

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** A generated page. */
export const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, notice, ...parts].join("\n\n")}\n`;

/** What each stage does with each operation, every exemption with its reason. */
export function pipelineMatrix(): string {
  const published = publishedOperations().map(describe);
  const head = [
    "Operation",
    "Address",
    "Listed",
    "Permission",
    "Load",
    "Narrowed keys",
    "Evaluation gate",
    "Decides",
    "Compliance",
    "Errors of its own",
    "Events",
    "Commit",
  ];
  const parts = groups.flatMap(({ name }) => {
    const rows = published.filter(({ id }) => groupOf(id) === name).map(matrixRow);
    return rows.length === 0 ? [] : [`## ${name}`, table(head, rows)];
  });
  const signIn = [
    "## Signing in to the portal",
    "Calls of the pipeline that stand in no description of the interface: their credential is a browser's.",
    table(head, describedSignIn().map(matrixRow)),
  ];
  const inside = insideOperations();
  const machines = [
    "## Inside the service",
    "What machines of the service do as calls of their own: the same stages, the same record, no address.",
    inside.length === 0
      ? "None."
      : table(
          head.filter((name) => name !== "Address" && name !== "Listed"),
          inside.map((one) => matrixRow(one).filter((_cell, at) => at !== 1 && at !== 2)),
        ),
  ];
  const words =
    "Every call passes permissions (with the look-up of what its path names), evaluation gate, compliance and audit. Where a stage has nothing to decide, the reason " +
    "stands here in italics, and in the record of every such call. Narrowed keys: what a key that is limited to agents is held to; all agents named there have to be the key's. " +
    "Decides: what a caller gives that can reach an agent's later work, and so makes them accountable for it:\n\n" +
    Object.entries(contents)
      .map(([name, { rule, text }]) => `- ${code(name)} (${rule}): ${text}`)
      .join("\n");
  return page("What each stage does with each operation", words, ...parts, ...signIn, ...machines);
}

/** How keys that are narrowed to agents are held; inside the service nobody calls by one. */
function narrowed(rule: OperationDescription["narrowing"]): string {
  if (rule === null) return "–";
  if (rule.kind === "whole") return `refused: ${rule.text}`;
  return rule.kind === "open" ? `open: ${rule.text}` : rule.text;
}

/** What of an agent's later work the callers decide; reads and calls inside the service do not say it. */
function decided({ decides, exemptions }: OperationDescription): string {
  return exemptions.decides === undefined ? list(decides ?? []) : `_${exemptions.decides}_`;
}

function matrixRow(operation: OperationDescription): string[] {
  const { id, method, path, listed, permission, action, exemptions, narrowing, errors, emits, kind } = operation;
  const stage = (reason: string | undefined, otherwise: string): string =>
    reason === undefined ? otherwise : `_${reason}_`;
  return [
    code(id),
    code(`${method} ${path}`),
    listed ? "yes" : "no",
    stage(exemptions.permission, code(String(permission))),
    stage(exemptions.load, "what the path names"),
    narrowed(narrowing),
    stage(exemptions.gate, "of the agent version"),
    decided(operation),
    stage(exemptions.compliance, code(String(action))),
    list(errors.map((type) => type.code)),
    list(emits.map((event) => event.type)),
    { read: "read", own: "own transaction", grouped: "grouped", batch: "each item its own" }[kind],
  ];
}

/** Every kind of problem, with cause and remedy. */
export function problemsPage(): string {
  const sections = problemCatalogue().map((type) =>
    [
      `## ${type.code}`,
      `**${type.status}** ${type.title}. ${type.retryable ? "The same call may succeed later." : "The same call will fail again."}`,
      `Cause: ${type.cause}`,
      `Remedy: ${type.remedy}`,
    ].join("\n\n"),
  );
  return page(
    "Problems",
    "Every error is `application/problem+json` (RFC 9457). `code` is contract: codes are added, never renamed.",
    ...sections,
  );
}

/** Every event with the members of its body. */
export function eventsPage(): string {
  const sections = eventCatalogue().map(({ type, summary, schema }) => {
    const { properties = {}, required = [] } = normalSchema(schema) as {
      properties?: Record<string, Json>;
      required?: readonly string[];
    };
    const rows = Object.entries(properties).map(([name, member]) => [
      code(name),
      typeWords(member),
      required.includes(name) ? "always" : "sometimes",
      String(member.description ?? (member.const === undefined ? "" : `Equals ${code(String(member.const))}.`)),
    ]);
    return [`## ${type}`, summary, table(["Member", "Type", "Present", "Meaning"], rows)].join("\n\n");
  });
  const words =
    "Bodies are flat JSON objects; what is about the delivery (id, time, signature, environment, sequence, audit reference, checkpoint) travels in headers.";
  return page("Events", words, ...sections);
}

function typeWords({ type, enum: values, anyOf }: Json): string {
  if (Array.isArray(values)) return values.map((value) => code(String(value))).join(", ");
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeWords(one as Json)).join(" or ");
  return Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
}
