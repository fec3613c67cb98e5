import { RefusedCall, type ServiceCalls } from "../service-calls.ts";

/** Tokens of a reply. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** About as many characters are a token. */
const charactersPerToken = 4;

/**
 * The tokens of all models that a reply's task asked; null where the caller may not read tasks. Tasks count them together: how many were the answer's is
 * estimated by its length.
 */
export async function usageOf(
  calls: ServiceCalls,
  task: string | null,
  text: string,
  before = 0,
): Promise<Usage | null> {
  if (task === null) return null;
  try {
    const { output } = await calls.call<{ tokens: number }>("GET /v1/tasks/{task}", { params: { task } });
    return splitTokens(Math.max(0, output.tokens - before), text);
  } catch (error) {
    if (error instanceof RefusedCall) return null;
    throw error;
  }
}

export function splitTokens(total: number, text: string): Usage {
  const output = Math.min(total, Math.ceil(text.length / charactersPerToken));
  return { input: total - output, output, total };
}
