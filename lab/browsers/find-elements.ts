import type { Target } from './page';

/** A target as JSON: an expression is its source and flags. */
export interface JsonTarget extends Omit<Target, 'name' | 'text'> {
  name?: string | [source: string, flags: string];
  text?: string | [source: string, flags: string];
}

const plain = (value: string | RegExp | undefined) =>
  value instanceof RegExp ? ([value.source, value.flags] as [string, string]) : value;

export const toJson = ({ name, text, ...rest }: Target): JsonTarget =>
  JSON.parse(JSON.stringify({ ...rest, name: plain(name), text: plain(text) }));

/** Runs in the page of a driver that finds by CSS only. @returns the visible elements that match, in document order */
export function findElements(target: JsonTarget): HTMLElement[] {
  const roles: Record<string, string> = {
    button: 'button:not([role]), [role=button], summary, input[type=submit]',
    link: 'a[href]:not([role]), [role=link]',
    heading: 'h1, h2, h3, h4, h5, h6, [role=heading]',
    textbox: 'input:not([type]), input[type=text], input[type=email], textarea, [role=textbox]',
    searchbox: 'input[type=search], [role=searchbox]',
    combobox: 'select, [role=combobox]',
  };
  const { role, label, css } = target;
  const selector = role
    ? (roles[role] ?? `[role=${role}]`)
    : label
      ? 'input, select, textarea, [aria-label]'
      : css;
  const shown = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const squeeze = (value: string | null | undefined) => (value ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: HTMLElement): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
    const alternatives = [...element.querySelectorAll('img[alt]')].map((image) => image.getAttribute('alt'));
    return (
      [
        ids.map((id) => document.getElementById(id)?.textContent).join(' '),
        element.getAttribute('aria-label'),
        labels.map((one) => one.textContent).join(' '),
        element.textContent || alternatives.join(' '),
        element.getAttribute('title') ?? element.getAttribute('placeholder'),
      ]
        .map(squeeze)
        .find(Boolean) ?? ''
    );
  };
  const fits = (value: string, wanted: string | [string, string]) =>
    typeof wanted === 'string' ? value === wanted : new RegExp(...wanted).test(value);
  if (target.text !== undefined) {
    const wanted = target.text;
    const has = (element: Element) => {
      const value = squeeze(element.textContent);
      return typeof wanted === 'string'
        ? value.toLowerCase().includes(wanted.toLowerCase())
        : fits(value, wanted);
    };
    // The innermost elements with the text.
    return [...document.body.querySelectorAll<HTMLElement>('*:not(script, style)')].filter(
      (element) => has(element) && shown(element) && ![...element.children].some(has),
    );
  }
  return [...document.querySelectorAll<HTMLElement>(selector ?? '')].filter(
    (element) =>
      shown(element) &&
      (target.name === undefined || fits(nameOf(element), target.name)) &&
      (label === undefined || nameOf(element) === label),
  );
}
