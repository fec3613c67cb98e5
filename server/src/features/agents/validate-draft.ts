import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { Fault } from "../../kernel/errors.ts";
import { definePort } from "../../kernel/port.ts";
import { principalHolds } from "../../kernel/role-permissions.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { settingsOf } from "../admin/public.ts";
import { freezeFaults, valueFaults } from "./bundle/index.ts";
import { type AgentDefinition, joinBundle } from "./definition.ts";
import { runnableFaults } from "./deployment-model.ts";
import { definitionWarnings } from "./references.ts";
import type { AgentRow } from "./store.ts";
import { costOf, draftHints } from "./validate-draft-model.ts";
import type { DraftFinding, DraftValidation, DraftVerdict } from "./validate-draft-schemas.ts";
import { readCosts } from "./validate-draft-store.ts";

/** A definition that is not deployed, as policies would see work by it. */
export interface JudgedDraft {
  readonly agent: string;
  readonly labels: readonly string[];
  readonly definition: AgentDefinition;
}

type Judge = (policies: SlicePorts["policies"], ctx: CallContext, draft: JudgedDraft) => DraftVerdict[];
/** What active policies and the declared risk say of a draft; tasks and governance know. */
export const draftJudge = definePort<Judge>("verdicts on drafts");

type Looking = CallContext & { readonly db: Reader };

/** Checks a draft against its rules, the environment of the call and the policies in force there. */
export async function validateDraft(
  ctx: Looking,
  policies: SlicePorts["policies"],
  { name: agent, labels, draft, revision }: AgentRow,
): Promise<DraftValidation> {
  const verdicts = draftJudge()(policies, ctx, { agent, labels, definition: draft });
  const findings = [...(await faultsOf(ctx, agent, labels, draft)), ...draftHints(draft, verdicts)];
  const costs = await readCosts(
    ctx,
    agent,
    draft.skills.map(({ name }) => name),
  );
  const readable = principalHolds(ctx.principal, "governance:read");
  return {
    ...{ agent, revision, valid: findings.every(({ severity }) => severity !== "error"), findings },
    verdicts: readable ? verdicts : verdicts.map((one) => ({ ...one, policies: [] })),
    costs: draft.skills.map((skill) =>
      costOf(
        skill,
        costs.find((one) => one.skill === skill.name),
      ),
    ),
    checked_at: new Date(ctx.now).toISOString(),
  };
}

async function faultsOf(ctx: Looking, agent: string, labels: readonly string[], draft: AgentDefinition) {
  const warnings = await definitionWarnings(ctx, draft, settingsOf(ctx).tools.reads);
  const as =
    (severity: DraftFinding["severity"]) =>
    ({ pointer, code, detail }: Fault): DraftFinding => ({
      ...{ severity, pointer: pointer ?? "", code, detail },
    });
  return [
    ...valueFaults(joinBundle(agent, labels, draft)).map(as("error")),
    ...[...freezeFaults(draft), ...runnableFaults(draft)].map(as("error")),
    ...warnings.map((fault) => as(fault.code === "counts_as_write" ? "warning" : "error")(fault)),
  ];
}
