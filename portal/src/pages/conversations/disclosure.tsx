import { Info } from "lucide-react";
import type { Conversation } from "../../api/chat-types.ts";
import { visible } from "../../lib/words.ts";

/** What tells the user that an agent answers, until they have seen it: then it stands among the messages. */
export function Disclosure({ conversation: { disclosure } }: { readonly conversation: Conversation }) {
  if (disclosure === null || disclosure.delivered_at !== null) return null;
  return (
    <p className="mb-5 flex items-start gap-2 text-sm text-muted">
      <Info className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span>
        {visible(disclosure.text)} <span className="text-xs">(the user sees it with the agent's next answer)</span>
      </span>
    </p>
  );
}
