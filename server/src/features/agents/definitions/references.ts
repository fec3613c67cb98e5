import { nearestName } from "@aos/text";
import { Type } from "typebox";
import type { CallContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { connectionRows, teamRows } from "../../admin/shared-rows.ts";
import { knowledgeBaseRows } from "../../knowledge/shared-rows.ts";
import type { AgentDefinition, ToolDefinition } from "./schemas.ts";

// Definitions belong to the organization; the knowledge bases and connections that they name, to environments.

/** A warning, with its place in the definition. */
export const DefinitionWarning = Type.Object(
  {
    pointer: Type.String({ description: "The place in the definition, as a JSON Pointer." }),
    code: Type.Enum(["unknown_base", "unknown_connection", "unknown_team", "counts_as_write"] as const),
    detail: Type.String(),
  },
  {
    description: "What the environment of the key lacks, or treats differently.",
  },
);
export const Warnings = Type.Array(DefinitionWarning, {
  description: "What would not work in the environment of the key; a deployment there is refused for missing names.",
});

type Kind = "base" | "connection" | "team";
interface Reference {
  readonly kind: Kind;
  readonly name: string;
  readonly pointer: string;
}
interface MissingName {
  readonly pointer: string;
  readonly code: `unknown_${Kind}`;
  readonly detail: string;
}

/** Each name with its place. Tools that no skill uses never run. */
function referencesOf({ model, knowledge = [], handoff = {}, tools, skills }: AgentDefinition): Reference[] {
  const used = new Set(skills.flatMap((skill) => skill.tools ?? []));
  const connection = (part: object, pointer: string): Reference[] =>
    "connection" in part && typeof part.connection === "string"
      ? [{ kind: "connection", name: part.connection, pointer }]
      : [];
  return [
    ...connection(model, "/model/connection"),
    ...(["teams", "rules"] as const).flatMap((part) =>
      (handoff[part] ?? []).map(
        ({ team }, at): Reference => ({ kind: "team", name: team, pointer: `/handoff/${part}/${at}/team` }),
      ),
    ),
    ...knowledge.map((name, at): Reference => ({ kind: "base", name, pointer: `/knowledge/${at}` })),
    ...tools.flatMap((tool, at) => (used.has(tool.name) ? connection(tool, `/tools/${at}/connection`) : [])),
  ];
}

type Looking = Pick<CallContext, "scope" | "principal"> & { readonly db: Pick<Statements, "query"> };

/** Names that the environment of the call lacks. A narrowed key does not learn which others exist. */
export async function missingNames(ctx: Looking, definition: AgentDefinition): Promise<MissingName[]> {
  const references = referencesOf(definition);
  if (references.length === 0) return [];
  const rows = await ctx.db.query<{ kind: Kind; name: string }>(
    `select 'base' as kind, name from ${knowledgeBaseRows} knowledge_bases where organization = $1 and environment = $2
     union all select 'connection', name from ${connectionRows} connections where organization = $1 and environment = $2
     union all select 'team', name from ${teamRows} teams where organization = $1 and environment = $2 order by 2`,
    [ctx.scope.organization, ctx.scope.environment],
  );
  const namesOf = (kind: Kind): string[] => rows.flatMap((row) => (row.kind === kind ? [row.name] : []));
  const known = { base: namesOf("base"), connection: namesOf("connection"), team: namesOf("team") };
  return references.flatMap(({ kind, name, pointer }): MissingName[] => {
    if (known[kind].includes(name)) return [];
    const what = kind === "base" ? "knowledge base" : kind;
    const problem = `${ctx.scope.environment} has no ${what} \`${name}\``;
    const close = ctx.principal.agents === null ? nearestName(name, known[kind]) : null;
    return [{ pointer, code: `unknown_${kind}`, detail: close ? `${problem}; did you mean \`${close}\`?` : problem }];
  });
}

/** `reads` are the requests that an admin marked as reads in the environment. */
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
