import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { Type } from "typebox";
import { exampleTask } from "../src/features/tasks/example.ts";
import { DispatchBody, Dispatched, Task } from "../src/features/tasks/schemas.ts";

// The baseline "echo": bare Fastify routes that validate the same body and serialise the same answer, and do nothing else. A program of its own, started by
// `startEcho`; prints its port when it listens.

/** The body of a dispatch with the input of the sample's skill, as one plain JSON Schema. */
const body = Type.Object(
  { ...DispatchBody.properties, lead_id: Type.String({ pattern: "^ld_" }) },
  { additionalProperties: true },
);
const plain = (schema: object): object => JSON.parse(JSON.stringify(schema)) as object;

const server = fastify({ logger: false });
const answer = {
  task_id: exampleTask.task_id,
  status: exampleTask.status,
  trust_score: exampleTask.trust_score,
  audit_ref: exampleTask.audit_ref,
};
server.post(
  "/v1/agents/:agent/tasks",
  { schema: { body: plain(body), response: { 202: plain(Dispatched) } } },
  (_request, reply) => {
    reply.code(202).send(answer);
  },
);
server.get("/v1/tasks/:task", { schema: { response: { 200: plain(Task) } } }, (_request, reply) => {
  reply.send(exampleTask);
});
await server.listen({ host: "127.0.0.1", port: Number(process.argv[2] ?? 0) });
process.stdout.write(`${(server.server.address() as AddressInfo).port}\n`);
process.once("SIGTERM", () => process.exit(0));
