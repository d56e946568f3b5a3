/** Requirements of docs/specification/schemas.md, by the anchor of their section and by their id. */
export const schemasRequirements = {
  "subjects-and-versions": {
    "S9.3-versions": "Versions of a subject are integers from 1, and each registration adds one.",
    "S4.1-schema-each-call": "Each call of POST /schemas registers a new version.",
    "S4.1-schema-owned": "The subject must name a handle of the account of the caller.",
    "D7-subject-handle":
      "A subject of another account is rejected with 403, and one of an unknown handle with 404.",
  },
  "accepted-documents": {
    "S4.1-schema-strict": "A document must be valid under strict JSON Schema 2020-12.",
    "S4.1-schema-size": "A document of more than 32 KiB is rejected.",
    "D7-document":
      "A document is an object, valid against the 2020-12 meta-schema, with known keywords and formats only.",
    "D7-refs-inside": "Every `$ref` and `$dynamicRef` must resolve inside the document.",
    "D7-bytes": "A document has at most 32,768 bytes as compact JSON.",
    "D7-dialect": "`$schema`, if given, is 2020-12; `$async` and other keywords of validators are unknown.",
    "D7-refused": "A document that fails a check is rejected with 400, and `errors` names each fault.",
    "D7-pattern-refused": "A pattern with look-around or a back-reference is rejected at registration.",
  },
  formats: {
    "D7-formats": "A payload that breaks a format is invalid.",
  },
  validation: {
    "D7-linear": "`pattern` and `patternProperties` run on a linear-time engine.",
    "D7-deadline":
      "A validation that takes longer than 250 ms ends with 422 and the keyword timeout, and delays no other request.",
  },
  compatibility: {
    "S9.4-modes": "The compatibility mode of a subject is none or backward.",
    "S4.1-schema-compat-kept":
      "Without `compat`, a registration keeps the mode of the subject, or none for a new one.",
    "D7-backward": "Under backward, every instance that is valid under the latest version must stay valid.",
    "D7-breaking":
      "What cannot be proved compatible is rejected with 400, with one error for each breaking change.",
    "D7-own-mode": "`compat` of a registration is the mode that it is itself checked under.",
  },
} as const;
