import { isDeepStrictEqual } from "node:util";
import type { Payer } from "../../../../kernel/budget.ts";
import type { CallContext, GroupContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Governed, RedactDemand } from "../../../../kernel/verdict.ts";
import type { OwnTool } from "../../../agents/schemas.ts";
import { type Found, findData } from "../find-data.ts";
import { type Trial, trialFacts } from "../sandbox.ts";

export interface TryTool {
  readonly trial: Trial;
  /** Default: the service itself. */
  readonly charged?: Payer | undefined;
  readonly tool: string;
  /** The real ones; `shown`: with placeholders, as the loop sees them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** `found`: by the service itself. `begun`: the asking process makes the call. `redact`: what to redact for the run. */
export type ToolTried =
  | { readonly kind: "found"; readonly found: Found; readonly costUsd: number; readonly redact: RedactDemand | null }
  | {
      readonly kind: "begun";
      readonly connection: string | null;
      readonly costUsd: number;
      readonly redact: RedactDemand | null;
    };

type Loaded = Trial & { readonly tool: OwnTool };

/** A skill that runs outside of tasks calls one of its reading tools. Those that write are not there for it. */
export const tryTool: InsideOperation<TryTool, ToolTried> = defineInside({
  id: "tasks.tryTool",
  summary: "Call a tool outside of tasks",
  permission: exempt("a worker of the service itself; who had it run the skill was permitted to"),
  load(_ctx, { trial, tool: name }: TryTool): Loaded | undefined {
    const tool = trial.tools.find((one) => one.name === name && one.effect === "read");
    return tool && { ...trial, tool };
  },
  gate: exempt("makes no agent act: what it does is evidence for the gate"),
  compliance: governs(
    "tool.call",
    (ctx: CallContext, { params, loaded }: { params: TryTool; query: undefined; body: undefined; loaded: Loaded }) => ({
      ...trialFacts(ctx, loaded, params.arguments),
      tool: { name: loaded.tool.name, effect: loaded.tool.effect },
    }),
    {
      keepsInput: ({ params }) => isDeepStrictEqual(params.arguments, params.shown),
      spends: (ctx, { params, loaded }) => ({
        agent: loaded.agent,
        ...(params.charged ?? { keyId: null, principal: ctx.principal.id }),
        demand: { steps: 1, usd: loaded.tool.cost_usd ?? 0, price: `version ${loaded.versionId}` },
      }),
    },
  ),
  audit: ({ params }) => `tool:${params.tool}`,
  together: tried,
  handle: tried,
});

interface Given {
  readonly params: TryTool;
  readonly loaded: Loaded;
  readonly governed: Governed;
}

/** It changes nothing: its record is all that is written. */
async function tried(
  ctx: Pick<GroupContext, "scope" | "db" | "facts">,
  { params, loaded, governed: { redact } }: Given,
): Promise<ToolTried> {
  const { tool, definition } = loaded;
  const costUsd = tool.cost_usd ?? 0;
  if (tool.kind === "http") return { kind: "begun", connection: tool.connection ?? null, costUsd, redact };
  return { kind: "found", found: await findData(ctx, loaded.agent, tool, definition, params), costUsd, redact };
}
