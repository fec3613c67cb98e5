import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Call } from "../journeys/client.ts";

/** The dataset that evaluations run over, and their scorer. */
export const dataset = "soak-leads";
export const scorer = "soak-right";
/** A lead of the sample. */
export const lead = (at: number): string => `ld_${1001 + (at % 200)}`;

const workflow = `workflow: soak-intake
description: Qualifies a lead and says where it goes.
input:
  type: object
  required: [lead_id]
  properties:
    lead_id: { type: string, description: The lead. }
steps:
  - id: qualify
    title: Qualify the lead
    agent: { name: sales, skill: qualify_lead, input: { lead_id: input.lead_id } }
  - id: note
    set: { lead: input.lead_id }
output: { lead_id: input.lead_id }
`;

/** What the work needs besides the sample: a base, a workflow, an endpoint that takes events, a dataset with a scorer. */
export async function furnish(call: Call, onEnd: (clean: () => Promise<unknown>) => void): Promise<void> {
  const receiver = http.createServer((request, answer) => {
    request.resume().on("end", () => answer.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onEnd(async () => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  await call("POST", "/v1/webhooks", { body: { url, events: ["task.*", "approval.*"] } });
  await call("POST", "/v1/knowledge/bases", { body: { name: "soak", description: "Pages about a shop." } });
  await call("POST", "/v1/workflows", { body: { source: workflow } });
  await call("POST", "/v1/workflows/soak-intake/publish", { body: { note: "First." } });
  const items = Array.from({ length: 50 }, (_, at) => ({
    input: { lead_id: lead(at) },
    expected: { qualified: at % 2 === 0 },
  }));
  await call("POST", "/v1/evaluations/datasets", {
    body: { name: dataset, agent: "sales", skill: "qualify_lead", items },
  });
  const [right, wrong] = [{ qualified: true }, { qualified: false }];
  await call("PUT", `/v1/evaluations/scorers/${scorer}`, {
    body: {
      kind: "exact",
      pointer: "/qualified",
      samples: [
        { output: right, expected: right, score: 1 },
        { output: wrong, expected: right, score: 0 },
      ],
    },
  });
}
