import type { ParameterRule } from "../parameters.ts";

// The parameters of POST /v1/chat/completions and POST /v1/responses (openai 7). What would change the answer's form or what may happen is refused;
// what only tunes a model is the agent's own affair, and ignored.

const formerly = "is refused: OpenAI has replaced it; send `tools` and `tool_choice`";
const noSearch = "is refused: the agent searches the knowledge of its version; leave it out";
const plainText = "is refused: agents answer in text; leave it out";
const one = "is refused: an agent gives one answer; leave it out";
const kept =
  "cannot be false: conversations are kept as the retention of this service says; leave it out, and erase the conversation when it is over";

const common: Readonly<Record<string, ParameterRule>> = {
  model: "taken",
  stream: "taken",
  stream_options: "taken",
  user: "taken",
  safety_identifier: "taken",
  metadata: "taken",
  temperature: "ignored",
  top_p: "ignored",
  service_tier: "ignored",
  prompt_cache_key: "ignored",
  prompt_cache_options: "ignored",
  prompt_cache_retention: "ignored",
  parallel_tool_calls: "taken",
  tools: "taken",
  tool_choice: "taken",
  top_logprobs: { only: [0], why: plainText },
  moderation: { only: [], why: "is refused: the policies of this service judge messages and answers; leave it out" },
  store: { only: [true], why: kept },
};

export const completionParameters: Readonly<Record<string, ParameterRule>> = {
  ...common,
  messages: "taken",
  frequency_penalty: "ignored",
  presence_penalty: "ignored",
  seed: "ignored",
  max_tokens: "ignored",
  max_completion_tokens: "ignored",
  prediction: "ignored",
  reasoning_effort: "ignored",
  verbosity: "ignored",
  n: { only: [1], why: one },
  functions: { only: [[]], why: formerly },
  function_call: { only: ["none", "auto"], why: formerly },
  web_search_options: { only: [], why: noSearch },
  response_format: "taken",
  modalities: { only: [["text"]], why: plainText },
  audio: { only: [], why: plainText },
  logprobs: { only: [false], why: plainText },
  logit_bias: { only: [{}], why: plainText },
  stop: "taken",
};

export const responseParameters: Readonly<Record<string, ParameterRule>> = {
  ...common,
  ...{
    input: "taken",
    instructions: "taken",
    previous_response_id: "taken",
    conversation: "taken",
    background: "taken",
  },
  max_output_tokens: "ignored",
  reasoning: "ignored",
  truncation: "ignored",
  context_management: "ignored",
  max_tool_calls: "ignored",
  include: { only: [[]], why: "is refused: there is nothing more to include; leave it out" },
  prompt: { only: [], why: "is refused: the agent's version has its own instructions; leave it out" },
  text: "taken",
  image: { only: [], why: plainText },
  access_programs: { only: [], why: "is refused: the agent has the tools of its version; leave it out" },
};
