/** Rendered anew for every request, as the pages of a signed-in person are. */
export const dynamic = 'force-dynamic';

// biome-ignore lint/style/noDefaultExport: Next reads it so
export default function EmptyPage() {
  return null;
}
