// What the page of the agent file shows: parts of agents' files that are right. Each field of the schema stands in one of them.

const impact = { money: 40, data: "personal", reversible: false, external: true, persons: 1 };
const search = { type: "object", required: ["text"], properties: { text: { type: "string", maxLength: 500 } } };

export const tools = {
  record: {
    name: "get_order",
    kind: "record",
    description: "An order by its number.",
    title: "Order {{order_id}}",
    base: "orders",
    effect: "read",
    cost_usd: 0,
    arguments: { type: "object", required: ["order_id"], properties: { order_id: { type: "string" } } },
    impact: { data: "personal" },
  },
  search: {
    name: "search_rules",
    kind: "search",
    description: "Passages of the rules for refunds.",
    title: "Rules about {{text}}",
    bases: ["rules"],
    effect: "read",
    cost_usd: 0,
    arguments: search,
    impact: { data: "internal" },
  },
  http: {
    name: "refund",
    kind: "http",
    description: "Pays an order back.",
    title: "Refund {{order_id}} · {{amount | money}}",
    request: {
      method: "POST",
      url: "https://shop.example.com/orders/{order_id}/refunds",
      query: { notify: "email" },
      headers: { "X-Source": "agents" },
      body: { amount: "{amount}", reason: "{reason}" },
    },
    idempotency: { header: "Idempotency-Key" },
    connection: "shop",
    effect: "write",
    cost_usd: 0.01,
    arguments: {
      type: "object",
      required: ["order_id", "amount", "reason"],
      properties: {
        order_id: { type: "string" },
        amount: { type: "number", maximum: 200 },
        reason: { type: "string" },
      },
    },
    impact,
  },
  openapi: {
    name: "list_carriers",
    kind: "http",
    title: "Carriers",
    openapi: { url: "https://shop.example.com/openapi.json", operation: "listCarriers" },
    effect: "read",
  },
  mcp: {
    name: "create_ticket",
    kind: "mcp",
    description: "Opens a ticket for the warehouse.",
    title: "Ticket: {{title}}",
    server: "https://tickets.example.com/mcp",
    tool: "tickets_create",
    idempotency: { argument: "request_id" },
    connection: "tickets",
    effect: "write",
    cost_usd: 0.002,
    arguments: {
      type: "object",
      required: ["title"],
      properties: { title: { type: "string" }, request_id: { type: "string" } },
    },
    impact: { reversible: true, external: false },
  },
};

export const models = {
  builtin: { provider: "builtin" },
  hosted: {
    provider: "anthropic",
    name: "claude-haiku-4-5",
    connection: "anthropic-main",
    settings: {
      temperature: 0,
      top_p: 0.9,
      max_output_tokens: 2000,
      seed: 7,
      confidence_samples: 3,
      base_url: "https://api.anthropic.com/v1",
      price: { input: 1, output: 5 },
    },
  },
  compatible: {
    provider: "openai-compatible",
    name: "llama3.2",
    connection: "gpu-server",
    settings: {
      base_url: "http://127.0.0.1:11434/v1",
      temperature: 0,
      top_p: 0.9,
      max_output_tokens: 2000,
      seed: 7,
      confidence_samples: 3,
      price: { input: 0, output: 0 },
    },
  },
};

export const skill = {
  name: "decide_refund",
  description: "Decides whether an order is paid back, and pays it back.",
  title: "Refund for {{order_id}}",
  input: { type: "object", required: ["order_id"], properties: { order_id: { type: "string", pattern: "^or_" } } },
  output: {
    type: "object",
    properties: { refund: { type: "boolean" }, reason: { type: "string", description: "The rule that decided." } },
  },
  instructions: "Look the order up, compare it with the rules for refunds, then decide.",
  tools: ["get_order", "search_rules", "refund"],
  subject: "order_id",
  impact,
  limits: { steps: 8, seconds: 60, tokens: 20000, cost_usd: 0.1 },
  examples: [
    {
      name: "arrived_broken",
      input: { order_id: "or_17" },
      output: { refund: true, reason: "Broken goods are paid back." },
    },
  ],
};

/** A whole file. */
export const handoff = {
  teams: [{ team: "billing", for: "Invoices, refunds and payments" }],
  rules: [
    { when: "asked", team: "support" },
    { when: "value", team: "billing", field: "order_total", above: 500 },
    { when: "topic", team: "billing", keywords: ["refund", "invoice"] },
    { when: "unsure", team: "support", times: 2 },
  ],
};
export const agent = {
  agent: "clerk",
  description: "Answers what customers ask about their orders.",
  labels: ["customer-care"],
  model: models.builtin,
  instructions: "Be brief and friendly.",
  knowledge: ["orders", "rules"],
  callers: {
    formats: true,
    images: true,
    tools: [
      { tool: "get_weather", effect: "read", impact: { data: "public" } },
      { tool: "crm_*", effect: "write", impact },
    ],
    wait_seconds: 600,
  },
  handoff,
  tools: [tools.record, tools.search, tools.http],
  skills: [skill],
};
