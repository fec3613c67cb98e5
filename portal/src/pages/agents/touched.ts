/** Reads that a deployment makes stale. */
export const deployed = [
  "/v1/agents",
  "/v1/agents/{agent}",
  "/v1/agents/{agent}/versions",
  "/v1/agents/{agent}/deployments",
  "/v1/agents/{agent}/trust",
  "/v1/evaluations/gates/{agent}",
] as const;
