import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { ReplyOptions } from "../../../kernel/reply-options.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { type AgentDefinition, optionFaults } from "../../agents/public.ts";
import type { SendMessageBody } from "../schemas.ts";

// How a caller wants a reply. Kept with the turn, so that one that waited in line is answered as it was asked for.

/** Characters of all schemas and descriptions together: they are compiled while the caller waits. */
const mostCharacters = 16_384;

/** Faults of a message's options by the version that answers; null: nobody answers by a version. */
export function sentOptionFaults(
  { principal }: CallContext,
  { options }: Pick<SendMessageBody, "options">,
  definition: AgentDefinition | null,
): Fault[] {
  if (!options) return [];
  const faults = principal.chat && options.tools?.length ? [needsKey] : ownFaults(options);
  if (faults.length > 0 || !definition) return faults;
  return optionFaults(definition, options).map((fault) => ({ ...fault, pointer: `/options${fault.pointer}` }));
}

const needsKey: Fault = {
  pointer: "/options/tools",
  code: "needs_key",
  detail: "is not for chat tokens; a server with a key can run functions",
};

function ownFaults(options: ReplyOptions): Fault[] {
  const { format, stop, tools } = options;
  if (format && stop?.length)
    return [
      {
        pointer: "/options/stop",
        code: "conflicting",
        detail: "would cut the JSON that `format` asks for; leave one out",
      },
    ];
  const size = JSON.stringify([tools, format]).length;
  if (size <= mostCharacters) return [];
  const detail = `has ${size} characters of functions and schemas; at most ${mostCharacters} are taken`;
  return [{ pointer: "/options", code: "too_large", detail }];
}

const turnJson = storedJson<{ options: ReplyOptions }>();

/** The options of a turn as it is stored. */
export const optionsOfTurn = (turn: { readonly options: string | null }): ReplyOptions =>
  turnJson(turn, "options") ?? {};

export const storedOptions = (options: ReplyOptions | undefined): string | null =>
  options && Object.keys(options).length > 0 ? JSON.stringify(options) : null;

/** What a task's input holds of options; nothing where there are none. */
export const inInput = (options: ReplyOptions | undefined): { options?: ReplyOptions } =>
  options && Object.keys(options).length > 0 ? { options } : {};
