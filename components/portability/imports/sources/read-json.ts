import type { SourceFile } from './source-file';

/** More than any journal's text has. */
const MAX_JSON_BYTES = 100_000_000;

/** Returns the object in a JSON file; null if it's none, damaged, or can't be read. */
export async function readJson(file: SourceFile): Promise<object | null> {
  if (file.size > MAX_JSON_BYTES) return null;
  try {
    const value: unknown = JSON.parse(await (await file.open()).text());
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
