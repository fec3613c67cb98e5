import path from "node:path";
import { DocumentFault } from "../fault.ts";
import type { Limits } from "../limits.ts";
import { firstNamed, prefixed, readXml, refuseDoctypes, type XmlElement, xmlTree } from "./xml.ts";
import { unzipped } from "./zip.ts";

/** A part that another one refers to. */
interface Relation {
  /** The last word of its type, such as `slide`. */
  readonly kind: string;
  readonly part: string;
}

/** The unpacked parts of a file of Office Open XML. */
export class Parts {
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #relations = new Map<string, ReadonlyMap<string, Relation>>();

  private constructor(files: ReadonlyMap<string, Buffer>) {
    this.#files = files;
  }

  static async unpack(bytes: Uint8Array, wanted: RegExp, limits: Pick<Limits, "unpacked" | "ratio">): Promise<Parts> {
    const { files } = await unzipped(bytes, (name) => wanted.test(name), limits);
    refuseDoctypes(files.values());
    return new Parts(files);
  }

  file(part: string | undefined): Buffer | undefined {
    return part === undefined ? undefined : this.#files.get(part);
  }

  tree(part: string | undefined): XmlElement | undefined {
    const file = this.file(part);
    return file && xmlTree(file);
  }

  /** The main part, such as the workbook: what the package itself refers to. */
  main(): { readonly part: string; readonly tree: XmlElement } {
    const part = [...this.relations("").values()].find(({ kind }) => kind === "officeDocument")?.part;
    const tree = this.tree(part);
    if (part === undefined || tree === undefined) throw incomplete();
    return { part, tree };
  }

  /** What a part refers to inside of the file, by id; of the package itself with an empty name. */
  relations(part: string): ReadonlyMap<string, Relation> {
    const known = this.#relations.get(part) ?? this.#readRelations(part);
    this.#relations.set(part, known);
    return known;
  }

  #readRelations(part: string): ReadonlyMap<string, Relation> {
    const folder = path.posix.dirname(part);
    const file = this.file(path.posix.join(folder, "_rels", `${path.posix.basename(part)}.rels`));
    const found = new Map<string, Relation>();
    if (file === undefined) return found;
    readXml(file, {
      open(name, { Id, Type = "", Target, TargetMode }) {
        if (name !== "Relationship" || Id === undefined || Target === undefined || TargetMode === "External") return;
        const target = Target.startsWith("/") ? Target.slice(1) : path.posix.join(folder, Target);
        found.set(Id, { kind: Type.slice(Type.lastIndexOf("/") + 1), part: target });
      },
    });
    return found;
  }

  /** The part that an element refers to by its `r:id`. */
  related(from: string, { attributes }: XmlElement): string | undefined {
    return this.relations(from).get(prefixed(attributes, "id") ?? "")?.part;
  }

  /** The title among the properties; null where a program wrote it by itself. */
  title(): string | null {
    const properties = this.tree("docProps/core.xml");
    const title = properties === undefined ? "" : (firstNamed(properties, "title")?.text.trim() ?? "");
    return title === "" || /^(powerpoint presentation|untitled|presentation|book1?|workbook)$/i.test(title)
      ? null
      : title;
  }
}

const incomplete = (): DocumentFault =>
  new DocumentFault("damaged", "Its parts do not fit together. Open it in its program, save it again, and send that.");
