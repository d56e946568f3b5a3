/**
 * Adds the slugs of sender, recipient and space to older wires. Only SQLite has such wires, because
 * PostgreSQL was not yet supported when they were stored.
 */
const NAMES = `',"sender":"' || (SELECT slug FROM handles WHERE pk = sender)
    || '","recipient":' || coalesce('"' || (SELECT slug FROM handles WHERE pk = recipient) || '"', 'null')
    || ',"space":' || coalesce('"' || (SELECT slug FROM spaces WHERE pk = space) || '"', 'null')`;

/**
 * Position of the field `text_body` in a wire's JSON. Only ids precede this field, so text from users cannot
 * match earlier.
 */
const TEXT = `instr(doc, ',"text_body":')`;

export const names = {
  id: 5,
  name: "names",
  sql: [
    {
      sqlite: `UPDATE wires SET doc = substr(doc, 1, ${TEXT} - 1) || ${NAMES} || substr(doc, ${TEXT})
        WHERE instr(substr(doc, 1, ${TEXT}), ',"sender":') = 0`,
    },
  ],
};
