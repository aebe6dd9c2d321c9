/** A value of Stripe's form encoding: nested objects and lists as brackets in the names. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = { [name: string]: FormValue };

/** Lists arrive as `items[0][price]` or `expand[]`; turned into arrays once everything is read. */
function arrayFromIndexes(value: FormValue): FormValue {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  const values = names.map((name) => arrayFromIndexes(value[name] ?? ''));
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return values;
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

/** Reads `application/x-www-form-urlencoded` with bracketed names, as Stripe's API takes its parameters. */
export function parseForm(encoded: string): Form {
  const root: { [name: string]: FormValue } = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.replaceAll(']', '').split('[');
    let at = root;
    for (const [depth, part] of path.entries()) {
      const key = part === '' ? String(Object.keys(at).length) : part;
      if (depth === path.length - 1) {
        at[key] = value;
        break;
      }
      const next = at[key];
      const inner: Form = typeof next === 'object' && !Array.isArray(next) ? next : Object.create(null);
      at[key] = inner;
      at = inner;
    }
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, arrayFromIndexes(value)]));
}

export const asText = (value: FormValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const asForm = (value: FormValue | undefined): Form =>
  typeof value === 'object' && !Array.isArray(value) ? value : {};

export const asList = (value: FormValue | undefined): FormValue[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];

export const asNumber = (value: FormValue | undefined): number | undefined =>
  typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;

/** Metadata: a flat object of texts. */
export const asTextRecord = (value: FormValue | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asForm(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
