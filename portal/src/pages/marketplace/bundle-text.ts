/** A travelling file as it was chosen, and what it says of itself. Only the service verifies it. */
export interface BundleText {
  readonly name: string;
  readonly size: number;
  readonly text: string;
  /** `invoice-sorter@1.2.0`; null: it does not say. */
  readonly subject: string | null;
  readonly publisher: string | null;
}

const most = 8_000_000;

/** Reads a chosen file; a text where it cannot be a bundle: why, and what to do. */
export async function readBundle(file: File): Promise<BundleText | string> {
  if (file.size > most) return `${file.name} is larger than 8 MB, and no bundle is.`;
  const text = await file.text();
  const said = parsed(text);
  if (said === null)
    return `${file.name} is no bundle: bundles are JSON texts that end with .aosbundle. Take the file as it was downloaded, not an archive of it.`;
  const { publisher, envelope } = said;
  return {
    name: file.name,
    size: file.size,
    text,
    subject: subjectOf(envelope?.payload),
    publisher: publisher?.name ?? null,
  };
}

interface Said {
  readonly archive: string;
  readonly publisher?: { readonly name?: string };
  readonly envelope?: { readonly payload?: string };
}

function parsed(text: string): Said | null {
  try {
    const value = JSON.parse(text) as Partial<Said> | null;
    return typeof value === "object" && value !== null && typeof value.archive === "string" ? (value as Said) : null;
  } catch {
    return null;
  }
}

/** The name in the signed statement. */
function subjectOf(payload: string | undefined): string | null {
  try {
    const bytes = Uint8Array.from(atob(payload ?? ""), (character) => character.charCodeAt(0));
    const { subject } = JSON.parse(new TextDecoder().decode(bytes)) as { subject?: readonly { name?: string }[] };
    return subject?.[0]?.name ?? null;
  } catch {
    return null;
  }
}
