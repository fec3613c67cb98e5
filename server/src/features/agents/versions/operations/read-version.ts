import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { findDecided } from "../../../admin/public.ts";
import { diffDefinitions, writeBundle } from "../../definitions/bundle/index.ts";
import { yamlType } from "../../definitions/file.ts";
import { integerIn, joinBundle } from "../../definitions/schemas.ts";
import { type AgentRow, findAgent } from "../../definitions/store.ts";
import { versionView } from "../../definitions/view.ts";
import { exampleAgent, exampleVersion } from "../../example.ts";
import { AgentName, AgentVersionDetail } from "../../schemas.ts";
import { contentOfVersion } from "../deciders.ts";
import { findVersionRecord, type WholeVersion } from "../store.ts";

type Loaded = { agent: AgentRow; record: WholeVersion };
/** The column holds integers below 2^31. */
const possibleNumber = /^[1-9][0-9]{0,8}$/;

export const readVersion = defineRead({
  id: "agents.readVersion",
  path: "/v1/agents/{agent}/versions/{version}",
  listed: true,
  summary: "Read a version",
  description:
    "The definition of a version, and with `diff` how it differs from another one, field by field and texts line by line. As a file (`Accept: application/yaml`) it can be " +
    "made the draft again; labels belong to the agent, and the file has the present ones.",
  params: Type.Object({ agent: AgentName, version: Type.String({ description: "The number of the version." }) }),
  query: Type.Object(
    {
      diff: Type.Optional(integerIn(1, 999_999_999, "The version to compare with, by its number.")),
    },
    closed,
  ),
  output: AgentVersionDetail,
  writes: {
    [yamlType]: {
      etag: "yaml",
      write: ({ agent, labels, definition }) => writeBundle(joinBundle(agent, labels, definition)),
    },
  },
  example: {
    params: { agent: "sales", version: "1" },
    output: {
      ...exampleVersion,
      deciders: [{ id: exampleVersion.author, how: "agent", of: "agent:sales@1", at: exampleVersion.created_at }],
      confirmed_by: null,
      confirmed_at: null,
      labels: exampleAgent.labels,
      definition: exampleAgent.definition,
      diff: null,
    },
  },
  permission: "agents:read",
  async load(ctx, { agent: name, version }): Promise<Loaded | undefined> {
    if (!possibleNumber.test(version)) return undefined;
    const agent = await findAgent(ctx, name);
    const record = agent && (await findVersionRecord(ctx, name, Number(version)));
    return record && { agent, record };
  },
  compliance: governs("agent.read", (_ctx, { loaded: { agent, record } }: { loaded: Loaded }) => ({
    agent: { name: agent.name, labels: agent.labels },
    version: { number: record.number, id: record.id },
  })),
  audit: ({ params, loaded }) => (loaded ? `version:${loaded.record.id}` : `agent:${params.agent}`),
  async handle(ctx, { query, loaded: { agent, record } }) {
    const { definition } = record;
    const other = query.diff === undefined ? null : await findVersionRecord(ctx, agent.name, query.diff);
    if (other === undefined)
      throw refuse(notFound, `There is no version ${query.diff} of ${agent.name} to compare with.`);
    const diff = other && diffDefinitions(other.definition, definition);
    const decided = await findDecided(ctx, await contentOfVersion(ctx, record));
    return { ...versionView(record, ctx.now), ...decided, labels: agent.labels, definition, diff };
  },
});
