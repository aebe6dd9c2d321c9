export const COOKIES: { name: string; purpose: string; lasts: string }[] = [
  {
    name: 'next-auth.session-token',
    purpose: 'Keeps you signed in.',
    lasts: '15 minutes, then it’s renewed',
  },
  { name: 'daylight.refresh', purpose: 'Renews your session.', lasts: '30 days' },
  {
    name: 'daylight.device',
    purpose: 'Recognizes a browser that you’ve signed in with before.',
    lasts: '400 days',
  },
  {
    name: 'daylight.registered',
    purpose: 'After you sign up: lets the link in your email sign you in.',
    lasts: '3 days',
  },
  {
    name: 'daylight.pending, daylight.connecting',
    purpose: 'While you sign in with a provider or a code.',
    lasts: '10 minutes',
  },
  {
    name: 'next-auth.csrf-token, next-auth.callback-url, next-auth.state, next-auth.nonce, next-auth.pkce.code_verifier',
    purpose: 'Only if you sign in with Google or GitHub: protect that sign-in.',
    lasts: 'Up to 15 minutes, or until you close the browser',
  },
  { name: 'daylight.zone', purpose: 'Your time zone, so that “today” is your today.', lasts: '1 year' },
  { name: 'daylight.theme', purpose: 'The theme you chose: light, dark, or your device’s.', lasts: '1 year' },
  {
    name: 'daylight.prompt',
    purpose: 'Only if you choose “No question”: keeps the studio from asking.',
    lasts: '1 year',
  },
  {
    name: 'daylight-kept',
    purpose:
      'How many recordings and entries are stored on this device (only numbers), to notice if the browser deletes them.',
    lasts: '400 days',
  },
  { name: 'daylight.renewed', purpose: 'Keeps open tabs from renewing a session twice.', lasts: '1 minute' },
];

/** Lists the cookies that the site sets. `cookies-table.test.ts` checks that there are no others. */
export function CookiesTable() {
  return (
    <table className="w-full text-left text-15 max-sm:block">
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line">
          {['Cookie', 'What it’s for', 'How long'].map((title) => (
            <th key={title} scope="col" className="py-2 pr-4 font-semibold text-ink">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {COOKIES.map(({ name, purpose, lasts }) => (
          <tr key={name} className="border-b border-line align-top max-sm:block max-sm:py-3">
            <th
              scope="row"
              className="py-2.5 pr-4 font-mono text-13 font-normal text-ink [overflow-wrap:anywhere] max-sm:block max-sm:py-0.5 sm:w-[32%]"
            >
              {name}
            </th>
            <td className="py-2.5 pr-4 max-sm:block max-sm:py-0.5">{purpose}</td>
            <td className="py-2.5 max-sm:block max-sm:py-0.5 sm:w-[24%]">{lasts}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
