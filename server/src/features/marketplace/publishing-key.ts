import { exportPrivateKey, importPrivateKey, makeKey, type Publisher, rotateKey, type SigningKey } from "@aos/bundle";
import { seal, unseal } from "../../db/secrets.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { defaultOrganization, type Scope } from "../../kernel/principal.ts";
import {
  findPublisher,
  identityOf,
  insertPublisher,
  lockPublisher,
  type PublisherRow,
  travelling,
  updatePublisher,
} from "./publisher-store.ts";

// The key by which the organization signs: sealed in the database, opened where something is signed.

/** The organization's own publisher, locked, with the key that signs now. */
export interface OwnPublisher {
  readonly row: PublisherRow;
  readonly publisher: Publisher;
  readonly key: SigningKey;
}

/** The publisher that the organization signs as; comes into being, with its first key, when first asked for. */
export async function ownPublisher(ctx: WriteContext, sealing: Buffer): Promise<OwnPublisher> {
  const row = (await lockPublisher(ctx, "own")) ?? (await makeOwn(ctx, sealing));
  return { row, publisher: travelling(row), key: openKey(sealing, ctx.scope, row) };
}

async function makeOwn(ctx: WriteContext, sealing: Buffer): Promise<PublisherRow> {
  const { privateKey, publicKey } = makeKey();
  const id = ctx.newId("pub");
  const publisher = { publisher_id: id, name: await publisherName(ctx), keys: [publicKey], rotations: [] };
  const sealed_key = sealKey(sealing, ctx.scope, id, privateKey);
  return insertPublisher(ctx, { ...identityOf(publisher), own: true, sealed_key });
}

/** The organization's name; the one of an installation that has one is called as the installation. */
async function publisherName({ db, scope }: WriteContext): Promise<string> {
  if (scope.organization !== defaultOrganization) return scope.organization;
  const [installation] = await db.query<{ id: string }>("select id from installation");
  return installation?.id ?? scope.organization;
}

/** Gives the organization's own publisher a new key, for which the present one vouches. */
export async function rotateOwnKey(ctx: WriteContext, sealing: Buffer): Promise<PublisherRow> {
  const { row, publisher, key } = await ownPublisher(ctx, sealing);
  const next = makeKey();
  const rotated = rotateKey(publisher, key.privateKey, next.publicKey);
  const sealed_key = sealKey(sealing, ctx.scope, row.id, next.privateKey);
  await updatePublisher(ctx, row.id, { ...identityOf(rotated), sealed_key });
  return (await findPublisher(ctx, row.id)) as PublisherRow;
}

const contextOf = ({ organization }: Scope, id: string): string => `publisher ${organization} ${id}`;

/** Seals the private key of the organization's own publisher. */
export const sealKey = (sealing: Buffer, scope: Scope, id: string, key: SigningKey["privateKey"]): Buffer =>
  seal(sealing, Buffer.from(exportPrivateKey(key)), contextOf(scope, id));

function openKey(sealing: Buffer, scope: Scope, { id, sealed_key }: PublisherRow): SigningKey {
  const text = sealed_key && unseal(sealing, sealed_key, contextOf(scope, id));
  if (!text) throw new Error(`the signing key of the publisher ${id} does not open`);
  return importPrivateKey(text.toString());
}
