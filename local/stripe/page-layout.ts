import { escapeHtml } from '../loopback-server';

export const formatCents = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** Formats a day in UTC: "November 20, 2026". */
export const formatDate = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' });

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 30rem; padding: 2rem 1rem; }
  .local { border: 1px solid; border-radius: .5rem; padding: .5rem .75rem; font-size: .875rem; }
  section { margin-block: 2rem; }
  form { display: grid; gap: .75rem; margin-block: .75rem; }
  label { display: grid; gap: .25rem; }
  input { font: inherit; padding: .6rem .75rem; min-height: 44px; box-sizing: border-box; width: 100%; }
  button { font: inherit; min-height: 44px; padding: .5rem 1rem; cursor: pointer; }
  .problem { color: #b3261e; font-weight: 600; }
  @media (prefers-color-scheme: dark) { .problem { color: #ffb4ab; } }
`;

/** Renders a whole page without script. `problem` says what went wrong with the last step. */
export function renderPage(title: string, body: string, problem?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="local">This is a local copy of Stripe, so you won't be charged. Card 4242 4242 4242 4242 works, and 4000 0000 0000 0002 is declined.</p>
<h1>${escapeHtml(title)}</h1>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
${body}
</main>
</body>
</html>
`;
}

export const cardFields = `
<label>Card number <input name="card" inputmode="numeric" autocomplete="cc-number" required></label>
<label>Expiry <input name="expiry" placeholder="MM / YY" autocomplete="cc-exp"></label>
<label>CVC <input name="cvc" inputmode="numeric" autocomplete="cc-csc"></label>`;

/** Renders a form with one button that posts `action` to the same page. */
export const button = (action: string, label: string, more = ''): string =>
  `<form method="post"><input type="hidden" name="action" value="${escapeHtml(action)}">${more}<button>${escapeHtml(label)}</button></form>`;
