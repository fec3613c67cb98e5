/** Tasks beyond dispatch: batches, changes, events, steps, results. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
