/**
 * Sends an `<img>` or `<video>` on to storage. The bytes, with Range, come from there and never pass the app.
 * The browser may keep the redirect as long as its target stays the same; not for another user of it (Vary).
 */
export function redirectToMedia(address: { url: string; sameForSeconds: number }): Response {
  return new Response(null, {
    status: 307,
    headers: {
      location: address.url,
      'cache-control': `private, max-age=${address.sameForSeconds}`,
      vary: 'Cookie',
    },
  });
}
