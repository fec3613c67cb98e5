import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { staleRevision } from "../../../../kernel/problems.ts";
import { settingsOf } from "../../../admin/public.ts";
import { digestOf, freezeFaults } from "../../definitions/bundle/index.ts";
import { definitionWarnings } from "../../definitions/references.ts";
import { type AgentRow, findAgent, lockAgent, seenAgent, takeDraftDeciders } from "../../definitions/store.ts";
import { agentRevision, agentView, versionView } from "../../definitions/view.ts";
import { agentArchived, draftIncomplete, nothingChanged } from "../../errors.ts";
import { exampleVersion } from "../../example.ts";
import { AgentName, FreezeVersionBody, FrozenVersion } from "../../schemas.ts";
import { asVersion } from "../deciders.ts";
import { findNewestVersion, insertVersion } from "../store.ts";

export const freezeVersion = defineOperation({
  id: "agents.freezeVersion",
  method: "POST",
  path: "/v1/agents/{agent}/versions",
  status: 201,
  listed: true,
  summary: "Freeze the draft as a version",
  description:
    "Makes the draft the next version. A version never changes, and acts only where it is deployed. Its digest is the same exactly for " +
    "equal definitions. `warnings` name what the environment of the key lacks. With If-Match, the ETag of the agent, only that draft is frozen.",
  params: Type.Object({ agent: AgentName }),
  body: FreezeVersionBody,
  output: FrozenVersion,
  example: {
    params: { agent: "sales" },
    body: { note: exampleVersion.note },
    output: {
      ...exampleVersion,
      deployed: false,
      verdict: { state: "missing", reasons: [], expires_at: null },
      warnings: [],
    },
  },
  location: ({ agent, version }) => `/v1/agents/${agent}/versions/${version}`,
  revision: ({ digest }) => digest,
  mayMatch: (loaded: AgentRow) => agentRevision(agentView(loaded)),
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("a version acts only when deployed"),
  decides: "agent_content",
  compliance: governs("agent.freeze", seenAgent),
  audit: ({ params, output }) => (output ? `version:${output.version_id}` : `agent:${params.agent}`),
  errors: [agentArchived, draftIncomplete, nothingChanged],
  async handle(ctx, { loaded: { name: agent, revision: seen }, body }) {
    const { draft: definition, revision, archived_at } = await lockAgent(ctx, agent);
    if (ctx.basedOnLoaded && revision !== seen)
      throw refuse(
        staleRevision,
        "It was changed since you read it; read it again and repeat the change on what is there now.",
      );
    if (archived_at !== null) throw refuse(agentArchived, `${agent} is archived, so no version can be frozen.`);
    const missing = freezeFaults(definition);
    if (missing.length > 0) {
      const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
      throw refuse(draftIncomplete, `${missing[0]?.pointer} ${missing[0]?.detail}${more}.`, { errors: missing });
    }
    const digest = digestOf(definition);
    const newest = await findNewestVersion(ctx, agent);
    if (newest && versionView(newest, ctx.now).digest === digest) {
      throw refuse(nothingChanged, `The draft of ${agent} says what its version ${newest.number} says.`, {
        members: { version: newest.number, version_id: newest.id },
      });
    }
    const number = (newest?.number ?? 0) + 1;
    const version = await insertVersion(ctx, {
      agent,
      definition,
      digest,
      number,
      deciders: asVersion(await takeDraftDeciders(ctx, agent), agent, number),
      note: body.note ?? "",
      basedOn: newest?.number ?? null,
      learntFrom: newest?.id ?? null,
    });
    const warnings = await definitionWarnings(ctx, definition, settingsOf(ctx).tools.reads);
    return { ...versionView(version, ctx.now), warnings };
  },
});
