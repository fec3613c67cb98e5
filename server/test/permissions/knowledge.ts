/** Knowledge bases and their documents. */
export const rows = `
                            vwr opr bld evl apr aud adm
knowledge.listBases          ✓   ✓   ✓   ✓   ✓   ✓   ✓
knowledge.createBase         ·   ·   ✓   ·   ·   ·   ✓
knowledge.addDocument        ·   ·   ✓   ·   ·   ·   ✓
knowledge.addDocuments       ·   ·   ✓   ·   ·   ·   ✓
knowledge.readDocument       ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
