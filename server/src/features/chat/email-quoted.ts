// What a person wrote in a message, without what mail programs put below it. All patterns are linear in the length of a line.

/** Beginning and end of the line above a quotation, such as `On Monday, Ana wrote:`, by language. */
const attributions: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^On\s/i, /\bwrote:$/i],
  [/^Am\s/i, /\bschrieb\b[^:]{0,200}:$/i],
  [/^Le\s/i, /\ba écrit\s?:$/i],
  [/^El\s/i, /\bescribió:$/i],
  [/^Il\s/i, /\bha scritto:$/i],
  [/^Op\s/i, /\bschreef\b[^:]{0,200}:$/i],
  [/^Em\s/i, /\bescreveu:$/i],
  [/^(W dniu|Dnia)\s/i, /\bnapisał(\(a\))?\b[^:]{0,200}:$/i],
];
const original =
  /^-{2,}\s{0,5}(Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Mensagem original|Wiadomość oryginalna)\s{0,5}-{2,}$/i;
const sender = /^\*?(From|Von|De|Da|Van|Od):\*?\s/i;
const sent = /^\*?(Sent|Date|Gesendet|Datum|Envoyé|Enviado|Fecha|Inviato|Data|Verzonden|Wysłano)\s?:\*?\s/i;
const isQuoted = (line: string): boolean => line.startsWith(">");

/**
 * Cuts off the quotation at the end, what stands above it, and the signature. Quoted lines between others stay: they say what is answered. Where nothing would be left, as
 * in a message that is all quotation, the whole is returned.
 */
export function withoutQuoted(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const at = lines.findIndex((_, index) => isCut(lines, index));
  const kept = withoutTrail(at < 0 ? lines : lines.slice(0, at));
  return kept.length > 0 ? kept.join("\n").trim() : lines.join("\n").trim();
}

function isCut(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  if (line === "-- " || line === "--") return true;
  const trimmed = line.trim();
  if (trimmed.length > 500) return false;
  return original.test(trimmed) || isAttribution(lines, at) || isHeaderBlock(lines, at);
}

/** An attribution may go over several lines, and a quotation or the sender's address follows. */
function isAttribution(lines: readonly string[], at: number): boolean {
  const first = (lines[at] as string).trim();
  const known = attributions.find(([begin]) => begin.test(first));
  if (!known) return false;
  for (let more = 0; more < 3 && at + more < lines.length; more += 1) {
    const whole = lines
      .slice(at, at + more + 1)
      .join(" ")
      .trim();
    if (whole.length > 500) return false;
    if (!known[1].test(whole)) continue;
    const next = lines.slice(at + more + 1).find((line) => line.trim() !== "");
    return next === undefined || isQuoted(next) || /[@\d]/.test(whole);
  }
  return false;
}

/** The header that Outlook puts above what it quotes. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  const from = /^_{10,}\s*$/.test(line) ? at + 1 : at;
  const block = lines.slice(from, from + 4).map((one) => one.trim().slice(0, 500));
  return sender.test(block[0] ?? "") && block.slice(1).some((one) => sent.test(one));
}

function withoutTrail(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "" && !isQuoted(line));
  return lines.slice(0, last + 1);
}
