import type { Detail } from "./words.ts";

/** The page on how to set up sign-in, where the lack of it keeps people from deciding. */
export function SetUpSignIn({ approval }: { readonly approval: Detail }) {
  if (!approval.undecidable_reason?.includes("sign-in.md")) return null;
  return (
    <a className="font-medium text-accent underline underline-offset-2" href="/docs/running/sign-in">
      Set up sign-in
    </a>
  );
}
