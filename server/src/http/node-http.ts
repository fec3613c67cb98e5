/**
 * What the server uses of Node's HTTP. An `import` from "node:http" reads every member of that module, and its `WebSocket` loads all of undici: a
 * twentieth of a start. `scripts/checks/start.ts` holds that nothing that a start loads imports it.
 */
export const { IncomingMessage, ServerResponse } = process.getBuiltinModule("node:http");
