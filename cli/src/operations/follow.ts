import { StreamRefused } from "../http.ts";
import { membersOf } from "../json.ts";
import { painter, printable } from "../terminal.ts";
import type { Request } from "./request.ts";
import type { Typed } from "./run.ts";
import { showReply } from "./show.ts";

/** Shows the events of a stream as they come, one a line. Returns the exit status. */
export async function follow(typed: Typed, { query, sending }: Request): Promise<number> {
  const { operation, service, terminal, options, argument } = typed;
  const paint = painter(terminal);
  const input = {
    ...Object.fromEntries(operation.pathParameters.map(({ name }, index) => [name, argument(index)])),
    ...Object.fromEntries(query),
    ...fieldsOf(sending),
  };
  try {
    for await (const event of service.follow(operation, input)) {
      const { id, type, data } = event;
      const line = options.json
        ? JSON.stringify({ id, type, data })
        : `${paint.faint(id)} ${paint.strong(printable(type))} ${printable(JSON.stringify(data))}`;
      terminal.stdout.write(`${line}\n`);
    }
    return 0;
  } catch (error) {
    if (error instanceof StreamRefused) return showReply(typed, error.reply);
    throw error;
  }
}

function fieldsOf({ json, raw }: Request["sending"]): object {
  return json ? { ...json } : raw === undefined ? {} : membersOf(raw);
}
