import type { Theme } from '@/lib/account/preferences/contract';

const THEMES: [theme: Theme, name: string][] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Radio buttons for the theme, which `THEME_SCRIPT` applies and saves when one is chosen. */
export function ThemeChoice({ theme }: { theme: Theme }) {
  return (
    <form>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1.5 text-14 font-semibold">Theme</legend>
        <div className="grid grid-cols-3 gap-1 rounded-12 bg-sunken p-1">
          {THEMES.map(([value, name]) => (
            <label
              key={value}
              className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-8 border border-transparent px-2 text-14 font-medium text-ink-2 hover:text-ink has-checked:border-line-strong has-checked:bg-surface has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name="theme"
                value={value}
                defaultChecked={value === theme}
                autoComplete="off"
                className="absolute inset-0 cursor-pointer appearance-none rounded-8 outline-none"
              />
              {name}
            </label>
          ))}
        </div>
        <p data-theme-error="" role="alert" hidden className="text-14 text-danger">
          We couldn’t save the theme. Check your connection and try again.
        </p>
      </fieldset>
    </form>
  );
}
