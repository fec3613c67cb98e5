import type { SavedReply } from "../../admin/public.ts";

export interface ReplyValues {
  readonly user: string | null;
  readonly me: string;
  readonly team: string;
  readonly conversation: string;
  readonly context: Readonly<Record<string, unknown>>;
}

const placeholder = /\{\{\s*(?:(user|me|team|conversation)|context\.([^{}\s]{1,64}))\s*\}\}/g;

const shown = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** A saved reply with its placeholders filled in. What is not known becomes nothing, so that no placeholder is ever sent. */
export function filledReply({ text, ...reply }: SavedReply, values: ReplyValues): SavedReply {
  const filled = text.replaceAll(
    placeholder,
    (_match, name: Exclude<keyof ReplyValues, "context"> | undefined, member?: string) =>
      name === undefined ? shown(values.context[member ?? ""]) : shown(values[name]),
  );
  return { ...reply, text: filled };
}
