/** Rendered anew for every request, as the pages of a signed-in person are. */
export const dynamic = 'force-dynamic';

export default function EmptyPage() {
  return null;
}
