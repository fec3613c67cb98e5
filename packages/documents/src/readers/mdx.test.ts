import { expect, it } from "vitest";
import { partsOf, readHere } from "../testing/read-here.ts";

const page = `---
title: Install
---
import Tabs from '@theme/Tabs';
import {
  Card,
} from "./card";

export const sizes = {
  small: 1,

  large: 2,
};

# Install {props.version}

Write \`{braces}\` as \\{these\\}, {'quoted'} {/* a comment */}and <Badge text="new" />here.

<Tabs onChange={(os) => { if (os > 1) { show(os); } }}>
  <TabItem value="npm" label="With npm">

    Run it:

    \`\`\`sh
    npm install {name}
      --save
    \`\`\`

    - one
      - inner

  </TabItem>
</Tabs>

<Card title="Note" style={{ color: "red" }}>
  Keep the **key**.
</Card>

<div className="wide">

## Sizes

</div>

| size | price |
|---|---|
| small | 400 |

A sum < 3, and a brace { that nobody closes.
`;

const expected = [
  "heading1: Install",
  "text: Write {braces} as {these}, quoted and here.",
  "text: With npm",
  "text: Run it:",
  "code: npm install {name}\n  --save",
  "text: - one\n  - inner",
  "text: Note",
  "text: Keep the key.",
  "heading2: Sizes",
  "table: | size | price |\n| --- | --- |\n| small | 400 |",
  "text: A sum < 3, and a brace { that nobody closes.",
];

it.each([
  ["MDX", { fileName: "install.mdx" }],
  ["a media type of MDX", { mediaType: "text/mdx" }],
  ["Markdown that begins with imports", { fileName: "install.md" }],
])("reads %s as a person sees it: components by their texts, no code but that of its blocks", async (_what, file) => {
  const read = await readHere(page, file);
  expect(read.title).toBe("Install");
  expect(partsOf(read)).toEqual(expected);
});

it("leaves braces and words of statements in Markdown that is not MDX", async () => {
  const read = await readHere("Import {name} from the list.\n\nexport it later.\n", { fileName: "a.md" });
  expect(partsOf(read)).toEqual(["text: Import {name} from the list.", "text: export it later."]);
});
