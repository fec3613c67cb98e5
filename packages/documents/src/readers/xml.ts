import { Parser } from "htmlparser2";
import { DocumentFault } from "../fault.ts";

export type Attributes = Readonly<Record<string, string>>;

/** What happens in an XML file, by names without their prefix. */
export interface XmlEvents {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Bytes that are decoded at a time. */
const PART = 2 ** 16;
/** Elements in one another: programs write a few dozen. */
const DEEPEST = 1000;

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Reads XML as a stream. The parser knows no entities but the five of XML, loads nothing, and forgives what is not well-formed. */
export function readXml(file: Uint8Array, { open, text, close }: XmlEvents): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > DEEPEST) throw tooDeep();
        open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth--;
        close?.(localName(name));
      },
      ...(text && { ontext: text }),
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder(charsetOf(file));
  for (let from = 0; from < file.length; from += PART)
    parser.write(decoder.decode(file.subarray(from, from + PART), { stream: true }));
  parser.end(decoder.decode());
}

const tooDeep = (): DocumentFault =>
  new DocumentFault(
    "too_complex",
    "Its parts are nested too deep. Save it in a simpler form, such as plain text or PDF.",
  );

function charsetOf(file: Uint8Array): string {
  const [first, second] = file;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: XmlElement[];
  /** The text directly in it. */
  text: string;
}

/** A small XML file as a tree; the element returned is above its root. */
export function xmlTree(file: Uint8Array): XmlElement {
  const top: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const stack = [top];
  readXml(file, {
    open(name, attributes) {
      const element = { name, attributes, children: [], text: "" };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    text(text) {
      const open = stack.at(-1);
      if (open !== undefined) open.text += text;
    },
    close() {
      if (stack.length > 1) stack.pop();
    },
  });
  return top;
}

/** The elements of a name below an element, in the order of the file, not those inside one another. */
export function* named(root: XmlElement, name: string): Generator<XmlElement> {
  const waiting = root.children.toReversed();
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === name) yield element;
    else for (let at = element.children.length - 1; at >= 0; at--) waiting.push(element.children[at] as XmlElement);
  }
}

export const firstNamed = (root: XmlElement, name: string): XmlElement | undefined => named(root, name).next().value;

/** An attribute whose prefix differs between files, such as `r:id`. */
export const prefixed = (attributes: Attributes, name: string): string | undefined =>
  attributes[Object.keys(attributes).find((own) => own.endsWith(`:${name}`)) ?? ""];

/** Office Open XML forbids document types, and no program writes one. */
export function refuseDoctypes(files: Iterable<Buffer>): void {
  for (const file of files)
    if (["<!DOCTYPE", "<!ENTITY"].some((mark) => file.includes(mark) || file.includes(Buffer.from(mark, "utf16le"))))
      throw new DocumentFault(
        "damaged",
        "Its XML declares a document type, which its format forbids. Save it again in its program, and send that.",
      );
}
