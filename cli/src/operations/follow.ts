import { isSet } from "../flags.ts";
import { StreamRefused } from "../http.ts";
import { painter, printable } from "../terminal.ts";
import type { Request } from "./request.ts";
import type { Typed } from "./run.ts";
import { showReply } from "./show.ts";

/** Shows the events of a stream as they come, one a line. Answers the exit status. */
export async function follow(typed: Typed, { query, sending }: Request): Promise<number> {
  const { operation, service, terminal, parsed } = typed;
  const paint = painter(terminal);
  const input = {
    ...Object.fromEntries(operation.pathParameters.map(({ name }, index) => [name, parsed.positionals[index] ?? ""])),
    ...Object.fromEntries(query),
    ...fieldsOf(sending),
  };
  try {
    for await (const event of service.follow(operation, input)) {
      const { id, type, data } = event;
      const line = isSet(parsed, "json")
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

/** The fields of a body of JSON. */
function fieldsOf({ json, raw }: Request["sending"]): object {
  return (json ?? (raw === undefined ? {} : JSON.parse(raw))) as object;
}
