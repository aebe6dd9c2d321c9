import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';
import { TOKENS, themeVariables } from './components/ui/tokens';

const colors = Object.fromEntries(Object.keys(TOKENS).map((name) => [name, `var(--${name})`]));

export default {
  theme: {
    extend: {
      colors,
      fontFamily: {
        sans: 'var(--font-figtree-ext), var(--font-figtree), system-ui, sans-serif',
        serif: 'var(--font-literata-ext), var(--font-literata), Georgia, serif',
      },
      fontSize: {
        13: ['13px', '18px'],
        14: ['14px', '20px'],
        15: ['15px', '22px'],
        16: ['16px', '24px'],
        17: ['17px', '24px'],
        20: ['20px', '28px'],
      },
      borderRadius: { 8: '8px', 12: '12px', 18: '18px', pill: '999px' },
      maxWidth: { page: '1200px', form: '440px', prose: '64ch' },
      transitionDuration: { 120: '120ms', 200: '200ms', 320: '320ms' },
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ':root': { colorScheme: 'light', ...themeVariables('light') },
        '@media (prefers-color-scheme: dark)': {
          ':root:not([data-theme=light])': { colorScheme: 'dark', ...themeVariables('dark') },
        },
        ':root[data-theme=dark]': { colorScheme: 'dark', ...themeVariables('dark') },
        // A part of a page that is dark in both themes, such as the player. A dark page darkens the navigation, too.
        '.always-dark, body:has(.dark-page) > header': {
          colorScheme: 'dark',
          color: 'var(--ink)',
          ...themeVariables('dark'),
        },
      });
    }),
  ],
} satisfies Config;
