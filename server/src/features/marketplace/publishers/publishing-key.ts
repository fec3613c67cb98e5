import {
  BundleFault,
  checkRotations,
  exportPrivateKey,
  importPrivateKey,
  makeKey,
  type Publisher,
  rotateKey,
  type SigningKey,
} from "@aos/bundle";
import { installationRows } from "../../../db/organization-rows.ts";
import { seal, unseal } from "../../../db/secrets.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defaultOrganization, type Scope } from "../../../kernel/principal.ts";
import { type PublisherRow, publishers } from "./resource.ts";
import { identityOf, insertPublisher, lockPublisher } from "./store.ts";

// The key that the organization signs with: sealed in the database, opened to sign.

/** Locked, with the key that signs now. */
interface OwnPublisher {
  readonly row: PublisherRow;
  readonly key: SigningKey;
}

/** Made with its first key on first use. */
export async function ownPublisher(ctx: WriteContext, sealing: Buffer): Promise<OwnPublisher> {
  const row = (await lockPublisher(ctx, "own")) ?? (await makeOwn(ctx, sealing));
  return { row, key: openKey(sealing, ctx.scope, row) };
}

async function makeOwn(ctx: WriteContext, sealing: Buffer): Promise<PublisherRow> {
  const { privateKey, publicKey } = makeKey();
  const id = ctx.newId("pub");
  const publisher = { publisher_id: id, name: await publisherName(ctx), keys: [publicKey], rotations: [] };
  const sealed_key = sealKey(sealing, ctx.scope, id, privateKey);
  return insertPublisher(ctx, { ...identityOf(publisher), own: true, sealed_key });
}

/** The organization's name, or that of the installation. */
async function publisherName({ db, scope }: WriteContext): Promise<string> {
  if (scope.organization !== defaultOrganization) return scope.organization;
  const [installation] = await db.query<{ id: string }>(`select id from ${installationRows} installation`);
  return installation?.id ?? scope.organization;
}

/** The present key vouches for the new one. */
export async function rotateOwnKey(ctx: WriteContext, sealing: Buffer): Promise<PublisherRow> {
  const { row, key } = await ownPublisher(ctx, sealing);
  const next = makeKey();
  const rotated = rotateKey(row.publisher, key.privateKey, next.publicKey);
  const sealed_key = sealKey(sealing, ctx.scope, row.id, next.privateKey);
  return (await publishers.update(ctx, row.id, { ...identityOf(rotated), sealed_key })) as PublisherRow;
}

const contextOf = ({ organization }: Scope, id: string): string => `publisher ${organization} ${id}`;

/** Seals a private key. */
export const sealKey = (sealing: Buffer, scope: Scope, id: string, key: SigningKey["privateKey"]): Buffer =>
  seal(sealing, Buffer.from(exportPrivateKey(key)), contextOf(scope, id));

function openKey(sealing: Buffer, scope: Scope, { id, sealed_key }: PublisherRow): SigningKey {
  const text = sealed_key && unseal(sealing, sealed_key, contextOf(scope, id));
  if (!text) throw new Error(`the signing key of the publisher ${id} does not open`);
  return importPrivateKey(text.toString());
}

/** Accepted by a consent. */
export interface AcceptedKey {
  readonly publisher_id: string;
  readonly key_id: string;
  /** With all its keys, as in the bundle. */
  readonly publisher: Publisher;
}

/** How a bundle's key relates to the accepted one. */
type KeyChange = "first" | "same" | "rotated" | "foreign";

/** `first`: none was pinned; `same`: it is the pinned one, or a former one that was trusted when the bundle came; `rotated`: the pinned key vouches for it; `foreign`: it does not. `publisher` is the one in the bundle. */
export function keyChangeOf(row: PublisherRow, publisher: Publisher): KeyChange {
  const key = publisher.keys.at(-1)?.key_id as string;
  if (row.own || row.pinned_key === key) return "same";
  if (row.pinned_key === null) return "first";
  const known = row.publisher.keys.map(({ key_id }) => key_id);
  if (known.slice(0, Math.max(0, known.indexOf(row.pinned_key))).includes(key)) return "same";
  try {
    checkRotations(row.pinned_key, publisher);
    return "rotated";
  } catch (error) {
    if (error instanceof BundleFault) return "foreign";
    throw error;
  }
}

/** Pins the key; former keys sign nothing new, and never replace a later one. */
export async function acceptKey(ctx: WriteContext, { publisher_id, key_id, publisher }: AcceptedKey): Promise<void> {
  const row = (await lockPublisher(ctx, publisher_id)) as PublisherRow;
  const change = keyChangeOf(row, publisher);
  if (change !== "first" && change !== "rotated") return;
  const { id: _id, ...identity } = identityOf(publisher);
  const known = row.publisher.keys.some((key) => key.key_id === key_id);
  const pinned = { pinned_key: key_id, pinned_at: new Date(ctx.now), pinned_by: ctx.principal.id };
  await publishers.update(ctx, publisher_id, { ...(known ? {} : identity), ...pinned });
}
