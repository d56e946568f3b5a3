import { expect, it } from "vitest";
import { lookAlike, shapesOf } from "../../daemon/console/page/app/look-alike.js";

const known = shapesOf(["alice", "modern-bot", "wire-shop", "ops-100", "claude", "super-node"]);

it.each([
  ["a1ice", "alice"],
  ["aiice", "alice"],
  ["al1ce", "alice"],
  ["al-ice", "alice"],
  ["rnodern-bot", "modern-bot"],
  ["modem-bot", "modern-bot"],
  ["rnodern-b0t", "modern-bot"],
  ["vvire-shop", "wire-shop"],
  ["wireshop", "wire-shop"],
  ["ops-l00", "ops-100"],
  ["ops-loo", "ops-100"],
  ["c1aude", "claude"],
  ["c-laude", "claude"],
  ["daude", "claude"],
  ["supernode", "super-node"],
  ["supemode", "super-node"],
  ["v-vire-shop", "wire-shop"],
])("marks %s, which looks like %s", (slug, other) => {
  expect(lookAlike(slug, known)).toBe(other);
});

it.each(["alice", "wire-shop", "bob", "alicia", "alice2", "shop-wire", ""])("does not mark %s", (slug) => {
  expect(lookAlike(slug, known)).toBeUndefined();
});

it("names the other one of two known handles that look alike", () => {
  const both = shapesOf(["bill", "b1ll", "bill"]);
  expect(lookAlike("bill", both)).toBe("b1ll");
  expect(lookAlike("b1ll", both)).toBe("bill");
});
