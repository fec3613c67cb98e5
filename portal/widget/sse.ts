import type { StreamEvent } from "./types.ts";

/** Reads the event stream format (HTML standard, section 9.2) from pieces of text, however they are cut. */
export class EventReader {
  #rest = "";

  /** The events that a piece of text completes. Comments and events without data are none. */
  read(piece: string): StreamEvent[] {
    // A piece that ends with CR may be followed by its LF.
    const text = this.#rest + piece;
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
    const blocks = whole.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n\n");
    this.#rest = (blocks.pop() ?? "") + text.slice(whole.length);
    return blocks.flatMap(eventOf);
  }
}

function eventOf(block: string): StreamEvent[] {
  let [id, type, data] = ["", "message", ""];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") type = value;
    else if (field === "data") data += (data && "\n") + value;
  }
  return data ? [{ id: Number(id) || 0, type, data: JSON.parse(data) }] : [];
}
