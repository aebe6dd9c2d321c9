/** The colors of the browser's own bars, which match the canvas. */
export const THEME_COLORS = { light: '#f8faf8', dark: '#0d110f' } as const;

/**
 * Applies and saves the theme that's chosen with any radio button called `theme`. Plain text that runs before any other
 * script, so that a cached page is shown in the right theme, and choosing one works at once. The cookie lets the server
 * render it for visitors, too. The account's own setting counts wherever its owner is signed in.
 */
export const THEME_SCRIPT = `(() => {
  const root = document.documentElement;
  const colors = ${JSON.stringify(THEME_COLORS)};
  const apply = (theme) => {
    root.dataset.theme = theme;
    document.cookie = 'daylight.theme=' + theme + '; path=/; max-age=31536000; samesite=lax';
  };
  const paint = (theme) => {
    const color = colors[theme] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? colors.dark : colors.light);
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      if (Object.values(colors).includes(meta.content)) meta.content = color;
  };
  const known = root.dataset.theme ?? /(?:^|; )daylight\\.theme=(system|light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  if (known) apply(known);
  const save = (theme) => fetch('/api/v1/preferences', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ theme }),
  });
  const show = (theme) => {
    apply(theme);
    paint(theme);
    for (const input of document.querySelectorAll('input[name="theme"]'))
      input.checked = input.defaultChecked = input.value === theme;
  };
  const say = (isFailed) => {
    for (const message of document.querySelectorAll('[data-theme-error]')) message.hidden = !isFailed;
  };
  addEventListener('change', async ({ target }) => {
    if (target.name !== 'theme' || target.type !== 'radio') return;
    const before = root.dataset.theme ?? 'system';
    show(target.value);
    say(false);
    try {
      let answer = await save(target.value);
      if (answer.status === 401 && (await fetch('/api/v1/token/refresh', { method: 'POST' })).ok) answer = await save(target.value);
      if (!answer.ok) throw answer;
    } catch {
      if (root.dataset.theme === target.value) show(before);
      say(true);
    }
  });
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[popover] a')) target.closest('[popover]').hidePopover();
  });
})();`;
