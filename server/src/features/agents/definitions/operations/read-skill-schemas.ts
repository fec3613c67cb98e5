import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { ordinal } from "../../../../kernel/whole-numbers.ts";
import { noVersion } from "../../errors.ts";
import { exampleBundle, exampleVersion } from "../../example.ts";
import { AgentName, SkillSchemas, skillSchemaOf } from "../../schemas.ts";
import { findAskedVersion } from "../../versions/store.ts";
import { findAgent, seenAgent } from "../store.ts";

export const readSkillSchemas = defineRead({
  id: "agents.readSkillSchemas",
  path: "/v1/agents/{agent}/schema",
  summary: "Read the schemas of an agent's skills",
  description:
    "The values of `task` in a dispatch, with the input and output of each. For the version that is live in the environment of the key, else the newest; `version` selects another.",
  params: Type.Object({ agent: AgentName }),
  query: Type.Object(
    { version: Type.Optional(ordinal("The version whose skills to read.")) },
    { additionalProperties: false },
  ),
  output: SkillSchemas,
  example: {
    params: { agent: "sales" },
    output: {
      agent: "sales",
      version: 1,
      version_id: exampleVersion.version_id,
      live: true,
      skills: (exampleBundle.skills ?? []).map(skillSchemaOf),
    },
  },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [noVersion],
  async handle(ctx, { loaded, query }) {
    const { number, id, deployed, definition } = await findAskedVersion(ctx, loaded.name, query.version);
    const skills = definition.skills.map(skillSchemaOf);
    return { agent: loaded.name, version: number, version_id: id, live: deployed, skills };
  },
});
