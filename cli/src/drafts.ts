import { checkAsNew, type DefinitionFile } from "./definition-files.ts";
import type { Reply, Service } from "./http.ts";
import { type Problem, problemLines, problemOf } from "./problems.ts";
import { NotSignedIn, painter, printable, type Terminal } from "./terminal.ts";

// Applies files of agents and workflows to their drafts.

class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface SavedDraft {
  readonly name: string;
  readonly draft: "created" | "changed" | "unchanged";
  readonly revision: number;
  readonly etag: string;
  readonly body: unknown;
}

/** Handles every file, and reports refusals. Returns false if the service refused any of them. */
export async function each(
  files: readonly DefinitionFile[],
  { stderr }: Terminal,
  act: (file: DefinitionFile) => Promise<unknown>,
): Promise<boolean> {
  let well = true;
  for (const file of files) {
    try {
      await act(file);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.status === 401) throw new NotSignedIn(error.message);
      well = false;
      stderr.write(`${problemLines(file.file, error.problem).join("\n")}\n`);
    }
  }
  return well;
}

/** Creates what the file defines or replaces its draft; `dry` only checks. */
export async function saveDraft(service: Service, file: DefinitionFile, dry: boolean): Promise<SavedDraft> {
  const { kind, name, text: yaml } = file;
  const query = dry ? "?dry_run=true" : "";
  if (name === null) throw refusedOr(await checkAsNew(service, file), `The file does not name the ${kind.noun}.`);
  const present = await service.call("GET", `${kind.path}/${name}`);
  if (present.status === 404) {
    const made = await service.call("POST", `${kind.path}${query}`, { yaml });
    const { revision } = accepted(made) as { revision: number };
    return { name, draft: "created", revision, etag: made.etag ?? "", body: made.body };
  }
  const before = accepted(present) as { revision: number };
  const changed = await service.call(kind.replace, `${kind.path}/${name}${query}`, {
    yaml,
    ifMatch: present.etag ?? "",
  });
  const { revision } = accepted(unmoved(changed, file, "nothing was applied")) as { revision: number };
  const draft = revision === before.revision ? "unchanged" : "changed";
  return { name, draft, revision, etag: changed.etag ?? "", body: changed.body };
}

/** Throws if somebody else changed the draft meanwhile; `done` says what was applied so far. */
export function unmoved(reply: Reply, { kind, file, name }: DefinitionFile, done: string): Reply {
  const problem = problemOf(reply);
  if (problem?.code !== "stale_revision") return reply;
  const detail = `Someone else changed ${name} meanwhile: ${done}. Compare with aos ${kind.noun}s diff -f ${file}, then apply the file again to overwrite.`;
  throw new Refused({ ...problem, detail });
}

/** Returns the body. Throws if the service refused. */
export function accepted(reply: Reply): unknown {
  const problem = problemOf(reply);
  if (problem) throw new Refused(problem);
  return reply.body;
}

function refusedOr(reply: Reply, otherwise: string): Refused {
  return new Refused(problemOf(reply) ?? { code: "unnamed", detail: otherwise });
}

export function draftLine({ name, draft, revision }: SavedDraft, terminal: Terminal): string {
  const paint = painter(terminal);
  const colour = { created: paint.added, changed: paint.changed, unchanged: paint.faint }[draft];
  return `${printable(name)}: ${colour(draft)} (revision ${revision})`;
}
