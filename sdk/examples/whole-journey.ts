// From a key to a proof: an agent from a file, a task that waits for approval, the approval on hearing of it, the result, and the proof of what was asked.
// In the folder of a started service:   AOS_KEY=$(cat .aos/admin.key) sh bin/run sdk/examples/whole-journey.ts
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyRecordProof } from "@aos/proof";
import { ApiProblem, createClient, WebhookVerificationError, webhooks } from "@aos/sdk";

const baseUrl = process.env.AOS_URL ?? "http://127.0.0.1:4000";
const person = createClient({ baseUrl, key: process.env.AOS_KEY }); // only persons decide, so approvals take the key of one
const { key, key_id } = await person.admin.issueKey({
  name: "Journey",
  role: "operator",
  for: { service_account: "shop" },
});
const program = createClient({ baseUrl, key }); // gives work, and decides nothing
const agent = "lead-clerk";
try {
  await person.agents.createAgent({ yaml: readFileSync(new URL(`${agent}.yaml`, import.meta.url), "utf8") });
  const { version } = await person.agents.freezeVersion({ agent, note: "First." });
  await person.agents.deployVersion({ agent, version });
} catch (error) {
  if (!(error instanceof ApiProblem && error.code === "agent_exists")) throw error; // from an earlier run
}

const server = createServer(async (request, response) => {
  try {
    const event = webhooks.unwrap(Buffer.concat(await request.toArray()), request.headers, secret);
    if (event.type === "task.approval_required") {
      const { digest, action } = await person.approvals.readApproval({ approval: event.data.task_id });
      console.log(event.data.summary, action.arguments); // people look at it under event.data.approve_url
      await person.approvals.approve({ approval: event.data.task_id, digest, reason: "A known lead." });
    }
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end(); // after 500 it is sent again
  }
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/aos`;
const { webhook_id, secret = "" } = await person.webhooks.createWebhook({
  url,
  events: ["task.approval_required"],
  agents: [agent],
});

const task = await program.agents.dispatchTask({
  agent,
  task: "who_is_it",
  lead_id: "ld_1001",
  require_approval: true,
});
const { status, output } = await program.tasks.readTaskResult({ task: task.task_id, wait: 60 });
console.log(task.status, "→", status, output);
const proof = await person.audit.readProof({ audit_ref: task.audit_ref });
const verdict = await verifyRecordProof(proof, readFileSync(process.env.AOS_AUDIT_KEYS ?? ".aos/audit.vkey", "utf8"));
const proved = verdict.verified && verdict.record.id === task.audit_ref;
console.log(proved ? `proved: record ${verdict.index} of ${verdict.checkpoint.origin}` : verdict);

await Promise.all([person.webhooks.removeWebhook({ webhook: webhook_id }), person.admin.revokeKey({ key: key_id })]);
server.close();
