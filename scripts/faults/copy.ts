import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Fault, planted } from "./fault.ts";

/** A copy of the last commit, in which faults are planted one at a time. */
export class Copy {
  readonly #root: string;
  readonly #folder: string;
  #stopTests: () => void = () => undefined;

  constructor(root: string) {
    this.#root = root;
    this.#folder = path.join(mkdtempSync(path.join(tmpdir(), "aos-faults-")), "copy");
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", this.#folder], { cwd: root });
    linkModules(path.join(root, "node_modules"), path.join(this.#folder, "node_modules"));
  }

  /** Whether the tests of a fault fail with it. Restores the file. */
  async catches(fault: Fault): Promise<boolean> {
    const file = path.join(this.#folder, fault.file);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, planted(text, fault));
    try {
      return !(await this.testsPass(fault));
    } finally {
      writeFileSync(file, text);
    }
  }

  /** Ends what runs in it as well. */
  remove(): void {
    this.#stopTests();
    execFileSync("git", ["worktree", "remove", "--force", this.#folder], { cwd: this.#root });
    rmSync(path.dirname(this.#folder), { recursive: true, force: true });
  }

  async testsPass({ tests, only }: Pick<Fault, "tests" | "only">): Promise<boolean> {
    const args = ["test", "--", ...tests, ...(only === undefined ? [] : ["-t", only])];
    // A group of its own, so that workers and their database end with it.
    const child = spawn("npm", args, { cwd: this.#folder, stdio: "ignore", detached: true });
    this.#stopTests = () => void process.kill(-(child.pid as number), "SIGTERM");
    const limit = setTimeout(this.#stopTests, longestMs);
    try {
      return await new Promise((resolve, reject) =>
        child.once("error", reject).once("exit", (code) => resolve(code === 0)),
      );
    } finally {
      clearTimeout(limit);
      this.#stopTests = () => undefined;
    }
  }
}

/** Tests that a fault hangs count as failed. */
const longestMs = 300_000;

/** Links the installed packages, except those of the workspace: they are the copy's own. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (name !== ".package-lock.json" && name !== "@aos") symlinkSync(path.join(from, name), path.join(to, name));
  cpSync(path.join(from, "@aos"), path.join(to, "@aos"), { recursive: true, verbatimSymlinks: true });
  // As new as the copy: older, and bin/run would install.
  writeFileSync(path.join(to, ".package-lock.json"), readFileSync(path.join(from, ".package-lock.json")));
}
