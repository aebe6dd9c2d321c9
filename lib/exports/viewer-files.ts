/** Returns the files of the archive's offline viewer. */
export async function viewerFiles(): Promise<{ path: string; data: Buffer }[]> {
  return [];
}
