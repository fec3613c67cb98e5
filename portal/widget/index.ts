import { wordsIn } from "@aos/user-texts/widget";
import { Client } from "./client.ts";
import { Widget } from "./widget.ts";

// The chat widget: <script src="https://…/chat/widget.js" data-token-url="/chat-token" async></script>

const script = document.currentScript as HTMLScriptElement | null;

function mount({ src, dataset }: HTMLScriptElement): void {
  const { tokenUrl, language: wanted, title, theme = "auto", side = "right", open } = dataset;
  if (!tokenUrl) throw new TypeError("data-token-url is missing: where this page's server hands out chat tokens");
  const { words, language } = wordsIn(wanted, document.documentElement.lang, navigator.language);
  const client = new Client({ service: new URL(src).origin, tokenUrl });
  const widget = new Widget(client, { title: title || words.title, language, theme, side, words });
  document.body.append(widget.host);
  Object.assign(window, { aosChat: { open: () => widget.open(), close: () => widget.close() } });
  if (open !== undefined) widget.open();
}

if (script) {
  if (document.body) mount(script);
  else document.addEventListener("DOMContentLoaded", () => mount(script));
}
