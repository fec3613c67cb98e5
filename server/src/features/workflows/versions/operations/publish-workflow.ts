import { Type } from "typebox";
import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, type GateSubject, governs } from "../../../../kernel/operation.ts";
import { staleRevision } from "../../../../kernel/problems.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { findingsOfRow } from "../../definitions/checks.ts";
import { exampleRelease } from "../../definitions/example.ts";
import { agentsOf, digestOf, workflowRevision } from "../../definitions/rules.ts";
import type { WorkflowFinding as Finding } from "../../definitions/schemas.ts";
import {
  findOwnWorkflow,
  forgetDraftDeciders,
  type LockedWorkflow,
  lockWorkflow,
  type WorkflowRow,
} from "../../definitions/store.ts";
import { alreadyLive, workflowArchived, workflowHasErrors } from "../../errors.ts";
import { PublishWorkflowBody, WorkflowName, WorkflowRelease } from "../../schemas.ts";
import { lookOf, switchTriggers, triggerNotPossible } from "../../triggers/effects.ts";
import { frozenDeciders, lookOrDecide, whoIsLeft } from "../deciders.ts";
import { releaseView } from "../rules.ts";
import {
  calledVersions,
  findLive,
  findNewestVersion,
  findVersion,
  insertVersion,
  pinnedBy,
  release,
  type VersionRow,
  versionAgents,
} from "../store.ts";

interface Loaded extends Pick<WorkflowRow, "name" | "revision" | "draft"> {
  /** Of the draft and its sub-workflows. */
  readonly agents: readonly string[];
  readonly versions: ReadonlyMap<number, readonly string[]>;
}

export const publishWorkflow = defineOperation({
  id: "workflows.publishWorkflow",
  method: "POST",
  path: "/v1/workflows/{workflow}/publish",
  listed: true,
  summary: "Publish a workflow",
  description:
    "Freezes the draft as a version and makes it live in the environment of the key, its triggers with it: new runs follow it, those under way stay on theirs. A draft that says what " +
    "its newest version says is published as that version; `version` publishes one from another environment. Refused with findings where the draft has errors, and " +
    "where the evaluation gate of an agent that it uses is not open. Workflows that its steps start are fixed at the versions that are live now. With If-Match it is that draft which is published and no later one.",
  params: Type.Object({ workflow: WorkflowName }),
  body: PublishWorkflowBody,
  output: WorkflowRelease,
  example: { params: { workflow: "refund" }, body: { note: exampleRelease.note }, output: exampleRelease },
  mayMatch: workflowRevision,
  permission: "workflows:write",
  load: loadPublished,
  narrowing: byBody(
    "the agents of what is published, those of workflows that it starts included",
    (_ctx, { loaded, body }: { loaded: Loaded; body: { version?: number } }) => agentsPublished(loaded, body.version),
  ),
  validate: (_ctx, { loaded, body }) => unknownVersion(loaded, body.version),
  gate: (ctx, { loaded, body }) => gateSubjects(ctx, agentsPublished(loaded, body.version)),
  decides: "workflow_version",
  compliance: governs("workflow.publish"),
  audit: ({ params, output }) => (output ? `release:${output.release_id}` : `workflow:${params.workflow}`),
  errors: [workflowArchived, workflowHasErrors, alreadyLive, triggerNotPossible],
  async handle(ctx, { loaded: { name, revision }, body }) {
    const locked = await lockWorkflow(ctx, name);
    // Gates were asked for the agents of the draft as it was loaded.
    if (locked.revision !== revision && (ctx.basedOnLoaded || body.version === undefined))
      throw refuse(
        staleRevision,
        "It was changed since you read it; read it again and repeat the change on what is there now.",
      );
    if (locked.archived_at !== null)
      throw refuse(workflowArchived, `${name} is archived; nothing of it is published any more.`);
    const asked = body.version === undefined ? undefined : await findVersion(ctx, name, body.version);
    const findings = await findingsOfRow(ctx, asked ? { draft: asked.definition, source: asked.source } : locked);
    refuseErrors(name, findings);
    const version = asked ?? (await freeze(ctx, name, locked, body.note));
    const live = await findLive(ctx, name);
    if (live?.version_number === version.number)
      throw refuse(alreadyLive, `Version ${version.number} of ${name} is live in ${ctx.scope.environment}.`);
    const isNamed = ctx.basedOnLoaded || asked !== undefined;
    const deciders = await lookOrDecide(ctx, version, isNamed);
    const note = body.note ?? "";
    const id = await release(ctx, { workflow: name, version: version.number, kind: "publish", note, deciders });
    await switchTriggers(ctx, name, version, lookOf(deciders, isNamed));
    const left = await whoIsLeft(ctx, version);
    const previous = live?.version_number ?? null;
    return releaseView(version, { id, kind: "publish", previous, findings: [...findings, ...left] });
  },
});

async function loadPublished(ctx: ReadContext, { workflow: name }: { workflow: string }): Promise<Loaded | undefined> {
  const row = await findOwnWorkflow(ctx, name);
  if (!row) return undefined;
  const called = await calledVersions(ctx, row.draft);
  const agents = [...new Set([agentsOf(row.draft), ...called.map((one) => one.agents)].flat())];
  return { ...row, agents, versions: await versionAgents(ctx, name) };
}

const agentsPublished = ({ agents, versions }: Loaded, version: number | undefined): readonly string[] =>
  version === undefined ? agents : (versions.get(version) ?? []);

function unknownVersion({ name, versions }: Loaded, version: number | undefined): Fault[] {
  if (version === undefined || versions.has(version)) return [];
  const there = versions.size === 0 ? "it has none yet" : `its newest is ${Math.max(...versions.keys())}`;
  return [{ pointer: "/version", code: "unknown_version", detail: `${name} has no version ${version}: ${there}` }];
}

function refuseErrors(name: string, findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return;
  const place =
    first.line === undefined ? first.pointer : `Line ${first.line}, column ${first.column}: ${first.pointer}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw refuse(workflowHasErrors, `${name}: ${place} ${first.detail}${more}`, {
    errors: errors.map(({ severity: _severity, ...fault }) => fault),
  });
}

/** The newest version if it equals the draft, its pinned sub-workflows included; else a new one. */
async function freeze(
  ctx: WriteContext,
  workflow: string,
  { draft: definition, source, agents, draft_deciders }: LockedWorkflow,
  note: string | undefined,
): Promise<VersionRow> {
  const called = await calledVersions(ctx, definition);
  const [digest, pinned] = [digestOf(definition), pinnedBy(definition, called)];
  const newest = await findNewestVersion(ctx, workflow);
  if (newest?.digest === digest && digestOf(newest.pinned) === digestOf(pinned)) return newest;
  const number = (newest?.number ?? 0) + 1;
  const all = [...new Set([...agents, ...called.flatMap((one) => one.agents)])].sort();
  const said = note ?? definition.version_note ?? "";
  const deciders = frozenDeciders(draft_deciders, { workflow, number });
  await forgetDraftDeciders(ctx, workflow);
  const version = { workflow, number, definition, source, digest, note: said, pinned, agents: all, deciders };
  return insertVersion(ctx, version);
}

/** The evaluation gates of a workflow's agents: their versions that are live here. An agent that is not deployed cannot act; findings and steps say so. */
export const gateSubjects = (ctx: CallContext, agents: readonly string[]): GateSubject[] =>
  agents.flatMap((agent) => {
    const live = findKnownAgent(ctx, agent)?.live;
    return live ? [{ agent, versionId: live.id }] : [];
  });
