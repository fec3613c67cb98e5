import type { Environment } from "../../../../kernel/principal.ts";
import { ChannelFault, type ChannelPort } from "../../ports.ts";
import { slackUrl } from "../rules.ts";
import type { SlackChannelConfig } from "../schemas.ts";
import type { SlackPlace } from "./event.ts";

/** Characters that Slack shows of one message without folding it. */
const longest = 3_900;

/** Errors that a retry does not change. */
const permanent = new Set(
  "channel_not_found is_archived msg_too_long no_text restricted_action thread_not_found user_not_found messages_tab_disabled".split(
    " ",
  ),
);

/** Returns the message's id in Slack. */
export async function sendToSlack(
  port: ChannelPort,
  environment: Environment,
  config: SlackChannelConfig,
  token: string,
  place: SlackPlace,
  text: string,
): Promise<string | null> {
  let last: string | null = null;
  for (const piece of pieces(escaped(text))) {
    const { body, status, headers } = await port.post(environment, slackUrl(config, "chat.postMessage"), token, {
      channel: place.channel,
      text: piece,
      ...(place.thread !== null && { thread_ts: place.thread }),
      // Nothing is fetched from addresses in a reply just because it was sent.
      unfurl_links: false,
      unfurl_media: false,
    });
    const { ok, error, ts } = (body ?? {}) as Record<string, unknown>;
    if (ok !== true) throw refusal(status, headers, typeof error === "string" ? error : null);
    last = typeof ts === "string" ? ts : last;
  }
  return last;
}

function refusal(status: number, headers: Readonly<Record<string, string>>, error: string | null): ChannelFault {
  const said = error !== null && /^[a-z_]{1,60}$/.test(error) ? error : `status ${status}`;
  const seconds = Number(headers["retry-after"]);
  return new ChannelFault("refused", `chat.postMessage was not accepted: ${said}.`, {
    about: /auth|token/.test(said) ? "credentials" : "message",
    permanent: permanent.has(said),
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : null,
  });
}

/** Characters that would make mentions and links are shown as themselves; bold text is written as Slack has it. */
const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/\*\*([^*\n]{1,500})\*\*/g, "*$1*");

/** Cuts a long text between lines or words where possible, and never within an escape. */
export function pieces(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const head = rest.slice(0, longest);
    const at = [head.lastIndexOf("\n\n"), head.lastIndexOf("\n"), head.lastIndexOf(" ")].find(
      (cut) => cut > longest / 2,
    );
    const cut = at ?? head.search(/(&[a-z]{0,3}|[\ud800-\udbff])$/);
    const length = at ?? (cut > 0 ? cut : longest);
    found.push(rest.slice(0, length));
    rest = rest.slice(length).trimStart();
  }
  return [...found, rest].filter((piece) => piece !== "");
}
