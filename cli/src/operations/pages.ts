import type { Reply, Service } from "../http.ts";
import { progressOn } from "../output/progress.ts";
import type { Row } from "../output/table.ts";
import { problemOf } from "../problems.ts";
import type { Terminal } from "../terminal.ts";
import { addressOf, type Request } from "./request.ts";
import type { Typed } from "./run.ts";
import { showReply } from "./show.ts";

export const pageMost = 100;

interface Page {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** What was read of a list, or the answer that refused it. `first` is the first page as it came. */
export type Read =
  | { readonly rows: readonly Row[]; readonly more: boolean; readonly first: unknown }
  | { readonly refused: Reply };

/** Pages of a list, up to `most` items. */
async function* pages(
  service: Service,
  request: Request,
  most: number,
): AsyncGenerator<{ page: Page; left: number } | { refused: Reply }> {
  let left = most;
  const query = new URLSearchParams(request.query);
  for (;;) {
    query.set("limit", String(Math.min(left, pageMost)));
    const reply = await service.call("GET", addressOf({ path: request.path, query }));
    if (problemOf(reply) !== null) return yield { refused: reply };
    const page = reply.body as Page;
    left -= page.data.length;
    yield { page, left };
    if (!page.has_more || page.next_cursor === null || left <= 0) return;
    query.set("cursor", page.next_cursor);
  }
}

/** Reads a list, at most `most` items of it, with progress on long ones. */
export async function readPages(service: Service, request: Request, most: number, terminal: Terminal): Promise<Read> {
  const progress = progressOn(terminal);
  const rows: Row[] = [];
  let more = false;
  let first: unknown;
  try {
    for await (const one of pages(service, request, most)) {
      if ("refused" in one) return one;
      first ??= one.page;
      rows.push(...one.page.data);
      more = one.page.has_more;
      if (more && one.left > 0) progress.say(`${rows.length} so far …`);
    }
  } finally {
    progress.done();
  }
  return { rows, more, first };
}

/** Streams a long list as one JSON document in the form of a page. */
export async function writePages(typed: Typed, request: Request, most: number): Promise<number> {
  const { terminal, service } = typed;
  const progress = progressOn(terminal);
  let count = 0;
  let last: Page | undefined;
  for await (const one of pages(service, request, most)) {
    if ("refused" in one) {
      progress.done();
      return showReply(typed, one.refused);
    }
    for (const row of one.page.data)
      terminal.stdout.write(`${count++ === 0 ? '{"data": [' : ","}\n  ${JSON.stringify(row)}`);
    last = one.page;
    if (last.has_more) progress.say(`${count} so far …`);
  }
  progress.done();
  const rest = { has_more: last?.has_more ?? false, next_cursor: last?.next_cursor ?? null };
  terminal.stdout.write(`${count === 0 ? '{"data": [' : "\n"}], ${JSON.stringify(rest).slice(1)}\n`);
  return 0;
}
