import { Info } from "lucide-react";
import type { Conversation } from "../../api/chat-types.ts";
import { exactly } from "../../lib/time.ts";
import { visible } from "../../lib/words.ts";

/** What tells the user that an agent answers, and whether they have been told. */
export function Disclosure({ conversation: { disclosure } }: { readonly conversation: Conversation }) {
  if (disclosure === null) return null;
  return (
    <p className="mb-5 flex items-start gap-2 text-sm text-muted">
      <Info className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span>
        {visible(disclosure.text)}{" "}
        <span className="text-xs">
          {disclosure.delivered_at === null
            ? "(the user is told with the first answer)"
            : `(the user was told on ${exactly(disclosure.delivered_at)})`}
        </span>
      </span>
    </p>
  );
}
