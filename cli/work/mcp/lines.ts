const LINE_FEED = 10;

/**
 * The lines of a stream, as the bytes that came. Only a line feed ends one: JSON may hold U+2028, at which readline cuts.
 */
export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
