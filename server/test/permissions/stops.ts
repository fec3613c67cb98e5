/** The kill switch. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
