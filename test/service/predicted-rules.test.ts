import { describe, expect, it } from "vitest";
import type { GoverningRule } from "../../src/domain/posting.js";
import { PredictedRules } from "../../src/service/validation/predicted-rules.js";

const post = (sender: number, isReply = false) => ({
  sender: { pk: sender },
  target: "#room",
  replyTo: isReply ? "id" : null,
});
const governing: GoverningRule = {
  rule: { allow_text: true, accepted_schemas: ["@alice/quote@1"], votable: false },
  source: "space_root",
};

describe("the predicted rule", () => {
  it("is the rule of the sender's last post of the same kind", () => {
    const rules = new PredictedRules();
    expect(rules.predict(post(1))).toBeUndefined();
    rules.save(post(1), governing);
    expect(rules.predict(post(1))).toBe(governing);
    expect(rules.predict(post(1, true))).toBeUndefined();
  });

  it("is used only for handles whose posts it governed, so that timing does not reveal private spaces", () => {
    const rules = new PredictedRules();
    rules.save(post(1), governing);
    expect(rules.predict(post(2))).toBeUndefined();
  });

  it("is removed after a rejected post, so that payloads do not bypass limits", () => {
    const rules = new PredictedRules();
    rules.save(post(1), governing);
    rules.save(post(2), governing);
    rules.invalidate(post(1));
    expect(rules.predict(post(1))).toBeUndefined();
    expect(rules.predict(post(2))).toBe(governing);
  });
});

describe("the predicted schema versions", () => {
  const rule = (...accepted_schemas: string[]): GoverningRule => ({
    rule: { allow_text: true, accepted_schemas, votable: false },
    source: "space_root",
  });

  it("are the latest versions to which the rule's refs resolved, until they are removed", () => {
    const rules = new PredictedRules();
    expect(rules.cachedRefs(rule("@a/b"))).toBeUndefined();
    rules.saveRefs(rule("@a/b", "@a/c@2"), ["@a/b@1", "@a/c@2"]);
    expect(rules.cachedRefs(rule("@a/c@2", "@a/b"))).toEqual(["@a/c@2", "@a/b@1"]);
    expect(rules.cachedRefs(rule("@a/b", "@a/d"))).toBeUndefined();
    rules.saveRefs(rule("@a/b"), ["@a/b@2"]);
    expect(rules.cachedRefs(rule("@a/b"))).toEqual(["@a/b@2"]);
    rules.invalidateRefs(rule("@a/b"));
    expect(rules.cachedRefs(rule("@a/b"))).toBeUndefined();
  });
});
