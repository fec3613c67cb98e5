/** A tool that writes with a connection's credentials. */
export const writing = {
  name: "send",
  kind: "http",
  effect: "write",
  connection: "crm",
  request: { method: "POST", url: "https://crm.example.com/notes/{id}", body: { text: "{text}" } },
  arguments: {
    type: "object",
    required: ["id", "text"],
    properties: { id: { type: "string" }, text: { type: "string" } },
  },
  impact: { external: true },
} as const;
