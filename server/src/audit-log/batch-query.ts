import pg from "pg";
import type { BatchStatement, ParameterSink } from "./append-statement.ts";
import { ByteWriter } from "./binary-array.ts";

/** What `pg` has of its connection to the server, as far as a query of ours uses it. */
interface Wire {
  parse(statement: { text: string; name: string }): void;
  readonly stream: { write(bytes: Buffer, written: () => void): void };
  readonly submittedNamedStatements: Record<string, string>;
}

const binary = 1;

/**
 * A query of `pg` that writes its own messages (PostgreSQL's documentation, 54.7 "Message Formats"). `pg` would copy every parameter several times into
 * buffers that grow, and each batch has dozens of them, a hundred kilobytes together: measured, that garbage alone made V8 collect the whole heap twice a second.
 */
class BatchQuery extends pg.Query {
  readonly #name: string;
  readonly #text: string;
  readonly #message: ByteWriter;
  readonly #sent: () => void;

  constructor(
    statement: BatchStatement,
    message: ByteWriter,
    ends: { sent: () => void; done: (error: Error | undefined, rows: unknown[]) => void },
  ) {
    const { name, text } = statement;
    super({ name, text }, (error, result) => ends.done(error ?? undefined, result?.rows ?? []));
    this.#name = name;
    this.#text = text;
    this.#message = message;
    this.#sent = ends.sent;
  }

  /** Of a query that was named, so that it is always prepared. */
  requiresPreparation(): boolean {
    return true;
  }

  /** Called by `pg` in place of its own; it has corked the stream. */
  prepare(wire: Wire & { parsedStatements: Record<string, string> }): void {
    if (wire.parsedStatements[this.#name] === undefined && wire.submittedNamedStatements[this.#name] === undefined) {
      wire.parse({ text: this.#text, name: this.#name });
      wire.submittedNamedStatements[this.#name] = this.#text;
    }
    wire.stream.write(this.#message.view(), this.#sent);
  }
}

/** Runs batches on a connection that pipelines. Buffers are used again as soon as they have been sent. */
export function createBatchRunner(): (client: pg.Client, statement: BatchStatement) => Promise<unknown[]> {
  const spare: ByteWriter[] = [];
  return (client, statement) => {
    const message = spare.pop() ?? new ByteWriter();
    message.clear();
    writeMessages(message, statement); // throws before anything is sent
    return new Promise((resolve, reject) => {
      const done = (error: Error | undefined, rows: unknown[]): void => (error ? reject(error) : resolve(rows));
      client.query(new BatchQuery(statement, message, { sent: () => spare.push(message), done }));
    });
  };
}

/** Bind, Describe, Execute and Sync. */
function writeMessages(message: ByteWriter, { name, parameters, give }: BatchStatement): void {
  message.letter("B");
  const lengthAt = message.length;
  message.int32(0);
  message.zeroEnded(""); // the unnamed portal
  message.zeroEnded(name);
  message.int16(1);
  message.int16(binary); // for all parameters
  message.int16(parameters);
  give(intoMessage(message));
  message.int16(0); // results as text
  message.setInt32(message.length - lengthAt, lengthAt);
  for (const letter of ["D", "E"] as const) {
    message.letter(letter);
    message.int32(letter === "D" ? 6 : 9);
    if (letter === "D") message.letter("P");
    message.zeroEnded("");
    if (letter === "E") message.int32(0); // all rows
  }
  message.letter("S");
  message.int32(4);
}

function intoMessage(message: ByteWriter): ParameterSink {
  return {
    text: (value) => message.text(value),
    array(type, cells) {
      const lengthAt = message.length;
      message.int32(0);
      message.array(type, cells);
      message.setInt32(message.length - lengthAt - 4, lengthAt);
    },
  };
}
