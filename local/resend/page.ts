import { createHash } from 'node:crypto';
import { escapeHtml } from '../loopback-server';
import type { StoredEmail } from './store';

const css = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: light-dark(#ddd, #444); }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; color: light-dark(#222, #eee); background: light-dark(#fff, #1b1b1d); }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
a { color: light-dark(#0b57b0, #8ab8ff); }
:focus-visible { outline: 3px solid light-dark(#0b57b0, #8ab8ff); outline-offset: 2px; }
ul { list-style: none; padding: 0; border-top: 1px solid var(--line); }
li { border-bottom: 1px solid var(--line); padding: 0.75rem 0; overflow-wrap: anywhere; }
li p, dd { margin: 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt, .quiet { color: light-dark(#595959, #b0b0b0); }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
input, button { font: inherit; padding: 0.4rem 0.6rem; min-width: 0; }
iframe { width: 100%; height: 34rem; resize: vertical; border: 1px solid var(--line); background: #fff; color-scheme: light; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); padding: 1rem; }
`;

const cssHash = createHash('sha256').update(css).digest('base64');

/** Pages run no script and load nothing from elsewhere; only an email's body may be in a frame. */
export const pageCsp = [
  "default-src 'none'",
  `style-src 'sha256-${cssHash}'`,
  'img-src data:',
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Without `allow-popups-to-escape-sandbox`, pages opened from an email would run without scripts. */
const sandbox = 'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** An email's own HTML may use inline styles and images and nothing else, even when opened by itself. */
export const bodyCsp = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  `sandbox ${sandbox}`,
].join('; ');

/** Renders the list of emails, newest first. */
export function listPage(mails: StoredEmail[], to: string): string {
  const items = mails.map(
    (mail) => `<li><p><a href="/mail/${mail.id}">${escapeHtml(mail.subject || '(no subject)')}</a></p>
<p class="quiet">to ${escapeHtml(mail.to.join(', '))}, ${formatTime(mail.createdAt)}</p></li>`,
  );
  return page(
    'Mailbox',
    `<h1>Mailbox</h1>
<form method="get" action="/" role="search">
<label for="to">Sent to</label>
<input id="to" name="to" type="text" value="${escapeHtml(to)}">
<button type="submit">Filter</button>
</form>
${items.length > 0 ? `<ul>\n${items.join('\n')}\n</ul>` : '<p>No emails yet.</p>'}`,
  );
}

/** Renders the page of one email. */
export function emailPage(mail: StoredEmail): string {
  const html = `<h2>Message</h2>
<iframe title="The message as HTML" src="/mail/${mail.id}/body" sandbox="${sandbox}"></iframe>`;
  const text = `<h2>Plain text</h2>\n<pre>${escapeHtml(mail.text ?? '')}</pre>`;
  return page(
    mail.subject || '(no subject)',
    `<p><a href="/">All emails</a></p>
<h1>${escapeHtml(mail.subject || '(no subject)')}</h1>
<dl>
<dt>From</dt><dd>${escapeHtml(mail.from)}</dd>
<dt>To</dt><dd>${escapeHtml(mail.to.join(', '))}</dd>
<dt>Sent</dt><dd>${formatTime(mail.createdAt)}</dd>
${Object.entries(mail.headers ?? {})
  .map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>`)
  .join('\n')}
</dl>
${mail.html === null ? '' : html}
${mail.text === null ? '' : text}`,
  );
}

/** Returns what the frame shows: the HTML as sent, with links that open in the whole window. */
export function emailBody(html: string): string {
  const base = '<base target="_top">';
  const head = /<head(\s[^>]*)?>/i.exec(html);
  if (!head) return base + html;
  const at = head.index + head[0].length;
  return html.slice(0, at) + base + html.slice(at);
}

export function notFoundPage(): string {
  return page('Not found', '<h1>Not found</h1>\n<p>We can’t find that email. <a href="/">All emails</a></p>');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

function formatTime(iso: string): string {
  const shown = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return `<time datetime="${escapeHtml(iso)}">${shown.format(new Date(iso))} UTC</time>`;
}
