/** Wires that were stored before they named handles and spaces by slug. PostgreSQL was not served then. */
const NAMES = `',"sender":"' || (SELECT slug FROM handles WHERE pk = sender)
    || '","recipient":' || coalesce('"' || (SELECT slug FROM handles WHERE pk = recipient) || '"', 'null')
    || ',"space":' || coalesce('"' || (SELECT slug FROM spaces WHERE pk = space) || '"', 'null')`;

/** Where the text begins in a wire's JSON: before it there are ids alone, so nothing that someone wrote can be meant. */
const TEXT = `instr(doc, ',"text_body":')`;

export const names = {
  id: 5,
  name: "names",
  sql: [
    {
      sqlite: `UPDATE wires SET doc = substr(doc, 1, ${TEXT} - 1) || ${NAMES} || substr(doc, ${TEXT})
        WHERE instr(substr(doc, 1, ${TEXT}), ',"sender":') = 0`,
      postgres: "SELECT 1",
    },
  ],
};
