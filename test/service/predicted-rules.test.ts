import { describe, expect, it } from "vitest";
import type { Governing } from "../../src/domain/posting.js";
import { PredictedRules } from "../../src/service/posting/predicted-rules.js";

const post = (sender: number, isReply = false) => ({
  sender: { pk: sender },
  to: "room",
  toSpace: true,
  target: "#room",
  hasText: false,
  isReply,
  carriesReplyRule: false,
});
const governing: Governing = {
  rule: { allow_text: true, accepted_schemas: ["@alice/quote@1"], votable: false },
  source: "space_root",
};

describe("the predicted rule", () => {
  it("is that of the sender's last post of the kind", () => {
    const rules = new PredictedRules();
    expect(rules.ruleFor(post(1))).toBeUndefined();
    rules.learn(post(1), governing);
    expect(rules.ruleFor(post(1))).toBe(governing);
    expect(rules.ruleFor(post(1, true))).toBeUndefined();
  });

  it("is given to nobody who was not governed by it, so that no time tells of a space that is private", () => {
    const rules = new PredictedRules();
    rules.learn(post(1), governing);
    expect(rules.ruleFor(post(2))).toBeUndefined();
  });

  it("is given no longer once a post was refused, so that no limit is got around by payloads", () => {
    const rules = new PredictedRules();
    rules.learn(post(1), governing);
    rules.learn(post(2), governing);
    rules.forget(post(1));
    expect(rules.ruleFor(post(1))).toBeUndefined();
    expect(rules.ruleFor(post(2))).toBe(governing);
  });
});

describe("the predicted refs", () => {
  const rule = (...accepted_schemas: string[]): Governing => ({
    rule: { allow_text: true, accepted_schemas, votable: false },
    source: "space_root",
  });

  it("are those that all refs of the rule resolved to last, until they are forgotten", () => {
    const rules = new PredictedRules();
    expect(rules.refsOf(rule("@a/b"))).toBeUndefined();
    rules.learnRefs(rule("@a/b", "@a/c@2"), ["@a/b@1", "@a/c@2"]);
    expect(rules.refsOf(rule("@a/c@2", "@a/b"))).toEqual(["@a/c@2", "@a/b@1"]);
    expect(rules.refsOf(rule("@a/b", "@a/d"))).toBeUndefined();
    rules.learnRefs(rule("@a/b"), ["@a/b@2"]);
    expect(rules.refsOf(rule("@a/b"))).toEqual(["@a/b@2"]);
    rules.forgetRefs(rule("@a/b"));
    expect(rules.refsOf(rule("@a/b"))).toBeUndefined();
  });
});
