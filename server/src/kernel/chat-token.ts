import type { ChatHolder, Environment, Scope } from "./principal.ts";
import { environments } from "./principal.ts";
import type { Seals } from "./seals.ts";
import { membersOf } from "./stored-json.ts";

/*
 * Tokens of people who chat by a widget: aosct_<payload>.<HMAC-SHA256>, both base64url. The token carries all that it allows, so nothing is stored. It ends
 * with its time, and with the key that issued it.
 */

const PREFIX = "aosct_";
const USE = "chat_token";

/** What a token allows, and until when. */
export interface ChatToken extends ChatHolder {
  readonly scope: Scope;
  /** The key that issued it, `key_…`. */
  readonly keyId: string;
  /** Origins whose pages may use it. */
  readonly origins: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Whether a text claims to be such a token. */
export const isChatToken = (text: string): boolean => text.startsWith(PREFIX);

export function sealChatToken(seals: Seals, token: ChatToken): string {
  const { scope, ...rest } = token;
  const payload = Buffer.from(JSON.stringify({ ...scope, ...rest })).toString("base64url");
  return `${PREFIX}${payload}.${seals.seal(USE, scope, [payload])}`;
}

/** The token as it was issued; null where this installation did not issue it. Says nothing about its time. */
export function openChatToken(seals: Seals, text: string): ChatToken | null {
  const read = readChatToken(text);
  if (read === null) return null;
  const [payload = "", seal = ""] = text.slice(PREFIX.length).split(".");
  return seals.holds(seal, USE, read.scope, [payload]) ? read : null;
}

/** What a text says as a token, whoever made it; null where it is none. */
export function readChatToken(text: string): ChatToken | null {
  const match = /^aosct_([\w-]+)\.[\w-]+$/.exec(text);
  if (!match) return null;
  try {
    const { organization, environment, ...rest } = membersOf(Buffer.from(match[1] as string, "base64url").toString());
    return isToken(rest) && typeof organization === "string" && isEnvironment(environment)
      ? { ...rest, scope: { organization, environment } }
      : null;
  } catch {
    return null;
  }
}

const isEnvironment = (text: unknown): text is Environment => (environments as readonly unknown[]).includes(text);

type Unscoped = Omit<ChatToken, "scope">;
const isToken = (token: Partial<Record<keyof Unscoped, unknown>>): token is Unscoped =>
  typeof token.keyId === "string" && typeof token.expiresAt === "number" && Array.isArray(token.origins);

/** The operations that an end user may call with a token. Every other one is refused, whatever its permission. */
export const endUserOperations: ReadonlySet<string> = new Set([
  "chat.addFile",
  "chat.followConversation",
  "chat.handoffConversation",
  "chat.listConversations",
  "chat.listMessages",
  "chat.rateMessage",
  "chat.readConversation",
  "chat.readFile",
  "chat.readMessage",
  "chat.sendMessage",
  "chat.startConversation",
  "chat.stopReply",
]);

export const isOpenToEndUsers = (operation: string): boolean => endUserOperations.has(operation);

/** Whether a token opens an operation: one for a single conversation starts no other. */
export const opens = ({ conversation }: ChatHolder, operation: string): boolean =>
  endUserOperations.has(operation) && (conversation === null || operation !== "chat.startConversation");
