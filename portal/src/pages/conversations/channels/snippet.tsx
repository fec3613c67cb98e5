import type { Channel } from "../../../api/chat-types.ts";
import { CodeBlock } from "../../../ui/code.tsx";

/** The script tag of the widget, and what the page behind it has to answer. */
export function WidgetSnippet({ channel: { name } }: { readonly channel: Channel }) {
  const tag = `<script src="${location.origin}/chat/widget.js" data-token-url="/chat-token" async></script>`;
  const token = `curl -sS ${location.origin}/v1/chat/tokens \\
  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" \\
  -d '{"channel": "${name}", "user": "customer-4711"}'`;
  return (
    <details className="text-sm">
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">Put the widget on a page</summary>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-3">
        <p>In the page:</p>
        <CodeBlock code={tag} label="script tag" wrap />
        <p>
          Your server answers <code className="id">/chat-token</code> with a token for whoever is signed in, which it
          gets by this call. The key stays on your server.
        </p>
        <CodeBlock code={token} label="call for a token" />
      </div>
    </details>
  );
}
