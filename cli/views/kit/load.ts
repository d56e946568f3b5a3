/** React decides which of its builds to load by a variable: the one for development is slower and larger. */
export async function loadViews<Views>(load: () => Promise<Views>): Promise<Views> {
  process.env.NODE_ENV ??= "production";
  return load();
}
