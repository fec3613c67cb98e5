import { askAll, commandWith, type Definition, may, type Promotion } from "./promotion.ts";

interface Connection {
  readonly connection: string;
  readonly kind: string;
  readonly base_url: string;
}

/** Looks whether the connections that a definition names are in the target. Their secrets are never read, so that they cannot come along. */
export async function lookForConnections(
  { report, source, target }: Promotion,
  { model, tools }: Definition,
): Promise<void> {
  const names = [...new Set([model, ...tools].flatMap(({ connection }) => connection ?? []))];
  if (names.length === 0) return;
  if (!may(target, "admin:read")) {
    report.add("connections", "already", `${names.join(", ")}: not checked, because the key lacks admin:read.`);
    return;
  }
  const [theirs, ours] = await Promise.all([
    may(source, "admin:read") ? askAll<Connection>(source, "/v1/admin/connections") : [],
    askAll<Connection>(target, "/v1/admin/connections"),
  ]);
  for (const name of names) {
    if (ours.some(({ connection }) => connection === name)) {
      report.add("connections", "already", `${name} is in ${target.environment}.`);
      continue;
    }
    const like = theirs.find(({ connection }) => connection === name);
    const address = like === undefined ? [] : ["--base-url", like.base_url];
    const add = commandWith(
      target,
      "admin",
      "connections",
      "add",
      "--name",
      name,
      "--kind",
      like?.kind ?? "http",
      ...address,
    );
    report.add(
      "connections",
      "missing",
      `${name} is not in ${target.environment}. Secrets are not copied; add it with that environment's own secret:`,
      [`${add} --secret "$SECRET"`],
    );
  }
}
