import { refuse } from "../../../../kernel/errors.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody, overloaded } from "../../../../kernel/problems.ts";
import { connectionPort, findConnection } from "../../../admin/public.ts";
import { findingsOfDraft } from "../checks.ts";
import { exampleDefinition } from "../example.ts";
import { fileOf } from "../file.ts";
import { agentsHere, modelHere, nameOf, type WritingModel, writeDraft } from "../generate.ts";
import { GeneratedWorkflow, GenerateWorkflowBody } from "../schemas.ts";
import { templated } from "../templates.ts";

/** Tokens reserved for a draft before a model is asked: two answers with their prompts. */
const mostTokens = 60_000;

const exampleDraft: GeneratedWorkflow = {
  made_by: "template",
  model: null,
  template: "act_with_approval",
  note: "No provider is connected here: made from the template act_with_approval. Adapt it to what you need.",
  source: fileOf(exampleDefinition, undefined),
  definition: exampleDefinition,
  findings: [],
};

export const generateWorkflow = defineOperation({
  id: "workflows.generateWorkflow",
  method: "POST",
  path: "/v1/workflows/generate",
  summary: "Draft a workflow from plain words",
  description:
    "Asks a model of a connected provider, which is given the format and the agents that are deployed here; its answer is checked, and corrected once. Where no provider is connected, a " +
    "template is filled with the agent that the words mean, and the answer says so. Nothing is saved. Takes up to three minutes.",
  body: GenerateWorkflowBody,
  output: GeneratedWorkflow,
  example: {
    body: { description: "Judge a refund and pay it after people have approved it.", name: "refund" },
    output: exampleDraft,
  },
  permission: "workflows:write",
  load: exempt("names nothing that is stored"),
  narrowing: limitedTo("names the key's agents alone"),
  gate: exempt("drafts; nothing acts by it"),
  decides: exempt("drafts and saves nothing"),
  compliance: governs("workflow.create", () => ({}), {
    spends: (ctx, { body }: { body: GenerateWorkflowBody }) => ({
      agent: "",
      keyId: ctx.principal.keyId,
      principal: ctx.principal.id,
      demand: (body.model ?? modelHere(ctx)) ? { tokens: mostTokens, usdUnknown: true } : {},
    }),
  }),
  audit: "generated workflow",
  async handle(ctx, { body }: { body: GenerateWorkflowBody }): Promise<GeneratedWorkflow> {
    const { description, name = nameOf(description) } = body;
    const agents = agentsHere(ctx);
    const model = body.model ?? modelHere(ctx);
    const template = async (why: string): Promise<GeneratedWorkflow> => {
      const { template: id, definition } = templated(description, name, agents);
      const source = `# Made from the template ${id}, not from your words alone. Adapt it to what you need.\n${fileOf(definition, undefined)}`;
      const { findings } = await findingsOfDraft(ctx, source);
      const note = `${why}: made from the template ${id}. Adapt it to what you need.`;
      return { made_by: "template", model: null, template: id, note, source, definition, findings: [...findings] };
    };
    if (!model) return template("No provider is connected here");
    const connection = await findConnection(
      ctx.db,
      ctx.port(connectionPort).credentialKey,
      ctx.scope,
      model.connection,
    );
    if (!connection || connection.kind === "http") throw noProvider(model);
    const draft = await writeDraft(ctx, connection, { description, name, agents, model: model.name });
    if (draft === null)
      throw refuse(overloaded, "Too many connections are in use; try again in a few seconds.", {
        headers: { "Retry-After": "5" },
      });
    ctx.spent({ tokens: draft.tokens, ...(draft.usd === null ? { usdUnknown: true as const } : { usd: draft.usd }) });
    if (draft.failure !== null) return template(`${model.name} did not answer (${draft.failure})`);
    const note = `Written by ${model.name} of ${model.connection}. Read it before you publish it.`;
    const { source, definition, findings } = draft;
    return { made_by: "model", model: model.name, template: null, note, source, definition, findings: [...findings] };
  },
});

function noProvider({ connection }: WritingModel): Error {
  const detail = `names ${connection}, which is no connection to a provider of models here; add one with POST /v1/admin/connections`;
  const errors = [{ pointer: "/model/connection", code: "unknown_connection", detail }];
  return refuse(invalidBody, `/model/connection ${detail}`, { errors });
}
