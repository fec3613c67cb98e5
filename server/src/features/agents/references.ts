import { nearestName } from "@aos/text";
import { Type } from "typebox";
import type { CallContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { AgentDefinition, ToolDefinition } from "./definition.ts";

// What a definition names and its environment has to have: knowledge bases and connections belong to environments, definitions do not.

/** What would keep a definition from working in the environment of the call, by its place. */
export const DefinitionWarning = Type.Object(
  {
    pointer: Type.String({ description: "The place in the definition, as a JSON Pointer." }),
    code: Type.Enum(["unknown_base", "unknown_connection", "counts_as_write"] as const),
    detail: Type.String(),
  },
  {
    description:
      "What the definition names and the environment of the key does not have, or what counts as something else there.",
  },
);
export const Warnings = Type.Array(DefinitionWarning, {
  description:
    "What would not work in the environment of the key; a deployment there is refused for names that are not there.",
});

type Kind = "base" | "connection";
interface Reference {
  readonly kind: Kind;
  readonly name: string;
  readonly pointer: string;
}
export interface MissingName {
  readonly pointer: string;
  readonly code: "unknown_base" | "unknown_connection";
  readonly detail: string;
}

/** The names of a definition, each with its place. Tools that no skill uses never run. */
function referencesOf({ model, knowledge = [], tools, skills }: AgentDefinition): Reference[] {
  const used = new Set(skills.flatMap((skill) => skill.tools ?? []));
  const connection = (part: object, pointer: string): Reference[] =>
    "connection" in part && typeof part.connection === "string"
      ? [{ kind: "connection", name: part.connection, pointer }]
      : [];
  return [
    ...connection(model, "/model/connection"),
    ...knowledge.map((name, at): Reference => ({ kind: "base", name, pointer: `/knowledge/${at}` })),
    ...tools.flatMap((tool, at) => (used.has(tool.name) ? connection(tool, `/tools/${at}/connection`) : [])),
  ];
}

type Looking = Pick<CallContext, "scope" | "principal"> & { readonly db: Pick<Statements, "query"> };

/** What a definition names and the environment of the call does not have. A narrowed key is not told what else there is. */
export async function missingNames(ctx: Looking, definition: AgentDefinition): Promise<MissingName[]> {
  const references = referencesOf(definition);
  if (references.length === 0) return [];
  const rows = await ctx.db.query<{ kind: Kind; name: string }>(
    `select 'base' as kind, name from knowledge_bases where organization = $1 and environment = $2
     union all select 'connection', name from connections where organization = $1 and environment = $2 order by 2`,
    [ctx.scope.organization, ctx.scope.environment],
  );
  const namesOf = (kind: Kind): string[] => rows.flatMap((row) => (row.kind === kind ? [row.name] : []));
  const known = { base: namesOf("base"), connection: namesOf("connection") };
  return references.flatMap(({ kind, name, pointer }): MissingName[] => {
    if (known[kind].includes(name)) return [];
    const what = kind === "base" ? "knowledge base" : "connection";
    const problem = `${ctx.scope.environment} has no ${what} \`${name}\``;
    const close = ctx.principal.agents === null ? nearestName(name, known[kind]) : null;
    return [{ pointer, code: `unknown_${kind}`, detail: close ? `${problem}; did you mean \`${close}\`?` : problem }];
  });
}

/** What a definition says that is otherwise in the environment of the call. `reads` are the requests that an admin marked as reads there. */
export async function definitionWarnings(ctx: Looking, definition: AgentDefinition, reads: readonly string[]) {
  const writes = definition.tools.flatMap((tool, at) => {
    const request = postOf(tool);
    if (tool.effect !== "read" || request === null || reads.includes(request)) return [];
    const detail = `counts as a write in ${ctx.scope.environment}, since a POST may write; an admin marks it as a read by adding \`${request}\` to the setting \`tools.reads\``;
    return [{ pointer: `/tools/${at}/effect`, code: "counts_as_write" as const, detail }];
  });
  return [...(await missingNames(ctx, definition)), ...writes];
}

const postOf = (tool: ToolDefinition): string | null =>
  tool.kind === "http" && tool.request?.method === "POST" ? `POST ${tool.request.url.replace(/[?#].*$/s, "")}` : null;
