import { describe, expect, it } from "vitest";
import { cutPage, MAX_PAGE_BYTES } from "../../src/contract/page-size.js";

const size = (item: number) => item;

describe("cutPage", () => {
  // [D15-page-bytes]
  it("returns an item larger than a page by itself", () => {
    const large = MAX_PAGE_BYTES + 1;
    expect(cutPage([large, 1, 1], 3, size)).toEqual({ items: [large], hasMore: true });
    expect(cutPage([1, large, 1], 3, size)).toEqual({ items: [1], hasMore: true });
    expect(cutPage([large], 3, size)).toEqual({ items: [large], hasMore: false });
  });

  it("cuts to the limit, and knows whether there is more", () => {
    expect(cutPage([1, 2, 3], 2, size)).toEqual({ items: [1, 2], hasMore: true });
    expect(cutPage([1, 2], 2)).toEqual({ items: [1, 2], hasMore: false });
    expect(cutPage([], 2)).toEqual({ items: [], hasMore: false });
  });
});
