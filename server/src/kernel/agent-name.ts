/** A short lowercase word, as the path shape `/v1/agents/{agent}/…` takes it. */
export const agentNamePattern = "^[a-z][a-z0-9-]{0,39}$";
