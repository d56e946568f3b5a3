/** What a view needs beside the thing that it shows. */
import type { Paint } from "../colours.js";

export interface Look {
  paint: Paint;
  /** A time for the reader. */
  time(time: string): string;
}
