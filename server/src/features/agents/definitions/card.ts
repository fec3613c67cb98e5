import { type Static, Type } from "typebox";
import type { AgentDefinition } from "./schemas.ts";

// The A2A agent card, version 1.0 of the protocol (https://a2a-protocol.org/latest/specification/).

const json = "application/json";
const modes = Type.Array(Type.String(), { description: "Media types." });
const Requirements = Type.Array(
  Type.Object({
    schemes: Type.Record(Type.String(), Type.Object({ list: Type.Optional(Type.Array(Type.String())) })),
  }),
);

export const CardSkill = Type.Object({
  id: Type.String({ description: "The value of `task` in a dispatch." }),
  name: Type.String(),
  description: Type.String(),
  tags: Type.Array(Type.String(), { description: "The agent's labels." }),
  examples: Type.Optional(Type.Array(Type.String(), { description: "Inputs, as JSON." })),
  inputModes: modes,
  outputModes: modes,
});

export const AgentCard = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    supportedInterfaces: Type.Array(
      Type.Object({ url: Type.String(), protocolBinding: Type.String(), protocolVersion: Type.String() }),
      { description: "The binding is the service's own HTTP interface, named by its OpenAPI description." },
    ),
    version: Type.String({ description: "The number of the live version." }),
    documentationUrl: Type.String(),
    capabilities: Type.Object({
      streaming: Type.Boolean(),
      pushNotifications: Type.Boolean(),
      extendedAgentCard: Type.Boolean(),
      extensions: Type.Array(
        Type.Object({
          uri: Type.String(),
          description: Type.String(),
          required: Type.Boolean(),
          params: Type.Record(Type.String(), Type.String()),
        }),
      ),
    }),
    securitySchemes: Type.Record(
      Type.String(),
      Type.Object({ httpAuthSecurityScheme: Type.Object({ scheme: Type.String(), description: Type.String() }) }),
    ),
    securityRequirements: Requirements,
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: Type.Array(CardSkill),
  },
  { description: "An A2A agent card: what other agents need to find and judge this one." },
);
export type AgentCard = Static<typeof AgentCard>;

const PROTOCOL_VERSION = "1.0";
const mostExamples = 3;

interface Carded {
  readonly agent: string;
  readonly labels: readonly string[];
  readonly version: { readonly number: number; readonly definition: AgentDefinition };
  readonly appUrl: string;
}

/** The service runs none of A2A's core bindings, so that the card names its own interface as a required extension and claims no capability of the protocol. */
export function cardOf({ agent, labels, version: { number, definition }, appUrl }: Carded): AgentCard {
  const api = `${appUrl}/openapi.json`;
  const own = `${appUrl}/v1/agents/${agent}`;
  return {
    name: agent,
    description: definition.description,
    supportedInterfaces: [{ url: `${own}/tasks`, protocolBinding: api, protocolVersion: PROTOCOL_VERSION }],
    version: String(number),
    documentationUrl: `${appUrl}/docs`,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: api,
          description:
            "Tasks are dispatched, followed and read over the service's own HTTP interface, not over JSONRPC, GRPC or HTTP+JSON of A2A.",
          required: true,
          params: { dispatch: `POST ${own}/tasks`, schemas: `GET ${own}/schema` },
        },
      ],
    },
    securitySchemes: {
      key: { httpAuthSecurityScheme: { scheme: "Bearer", description: "A key of one environment, `aos_…`." } },
    },
    securityRequirements: [{ schemes: { key: {} } }],
    defaultInputModes: [json],
    defaultOutputModes: [json],
    skills: definition.skills.map((skill) => ({
      id: skill.name,
      name: skill.name,
      description: skill.description ?? `The skill ${skill.name} of ${agent}.`,
      tags: [...labels],
      ...(skill.examples && {
        examples: skill.examples.slice(0, mostExamples).map(({ input }) => JSON.stringify(input)),
      }),
      inputModes: [json],
      outputModes: [json],
    })),
  };
}
