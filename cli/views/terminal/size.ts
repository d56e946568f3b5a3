/** The size of a window or a part of it, in columns and rows of characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}
