/**
 * Ready-made JSON on its way through the SDKs. They see a short word in its place, which is exchanged for it once they have
 * written the answer: a page of wires would otherwise be parsed once and written three times.
 */
export class ReadyMade {
  private readonly parts: string[] = [];

  /** @param secret what no client can know beforehand: its own words must not be taken for ours */
  constructor(private readonly secret: string) {}

  /** The word that stands for this JSON. */
  wordFor(json: string): string {
    this.parts.push(json);
    return this.word(this.parts.length - 1);
  }

  /** The answer, with the JSON in place of the words. */
  fill(answer: string): string {
    return this.parts.reduce((filled, json, n) => filled.replace(`"${this.word(n)}"`, () => json), answer);
  }

  private word(n: number): string {
    return `${this.secret}:${n}`;
  }
}
