/** Lightness, chroma, and hue in OKLCH, as CSS writes them. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number];

/**
 * The interface's colors, light and dark. `tokens.test.ts` checks the contrast of every pair used for text and controls.
 */
export const TOKENS = {
  canvas: { light: [0.982, 0.004, 150], dark: [0.168, 0.008, 165] },
  surface: { light: [1, 0, 0], dark: [0.208, 0.01, 165] },
  sunken: { light: [0.957, 0.006, 155], dark: [0.138, 0.007, 165] },
  line: { light: [0.905, 0.008, 155], dark: [0.3, 0.012, 165] },
  'line-strong': { light: [0.61, 0.015, 160], dark: [0.545, 0.016, 165] },
  ink: { light: [0.22, 0.015, 165], dark: [0.955, 0.006, 150] },
  'ink-2': { light: [0.43, 0.016, 165], dark: [0.775, 0.012, 160] },
  'ink-3': { light: [0.51, 0.016, 165], dark: [0.675, 0.014, 160] },
  accent: { light: [0.455, 0.085, 168], dark: [0.795, 0.095, 165] },
  'accent-hover': { light: [0.395, 0.078, 168], dark: [0.85, 0.085, 165] },
  'on-accent': { light: [0.99, 0.006, 160], dark: [0.2, 0.03, 168] },
  'accent-soft': { light: [0.943, 0.032, 165], dark: [0.285, 0.038, 167] },
  'accent-ink': { light: [0.4, 0.08, 168], dark: [0.845, 0.085, 165] },
  mark: { light: [0.915, 0.105, 98], dark: [0.44, 0.085, 95] },
  // The playhead, and today.
  now: { light: [0.64, 0.135, 72], dark: [0.8, 0.13, 85] },
  // How much was recorded on a day.
  'heat-1': { light: [0.78, 0.065, 165], dark: [0.43, 0.055, 166] },
  'heat-2': { light: [0.67, 0.085, 166], dark: [0.54, 0.07, 166] },
  'heat-3': { light: [0.55, 0.088, 167], dark: [0.65, 0.085, 166] },
  'heat-4': { light: [0.4, 0.08, 168], dark: [0.84, 0.1, 165] },
  rec: { light: [0.555, 0.215, 27], dark: [0.66, 0.205, 25] },
  'on-rec': { light: [1, 0, 0], dark: [0.16, 0.03, 25] },
  danger: { light: [0.51, 0.19, 27], dark: [0.73, 0.15, 22] },
  'on-danger': { light: [1, 0, 0], dark: [0.18, 0.03, 25] },
  ok: { light: [0.48, 0.11, 150], dark: [0.78, 0.13, 150] },
  warn: { light: [0.51, 0.105, 70], dark: [0.81, 0.12, 80] },
  focus: { light: [0.52, 0.17, 258], dark: [0.76, 0.12, 255] },
} as const satisfies Record<string, { light: Oklch; dark: Oklch }>;

export type TokenName = keyof typeof TOKENS;

/** Returns a theme's custom properties, for instance `{ '--ink': 'oklch(0.22 0.015 165)' }`. */
export function themeVariables(theme: 'light' | 'dark'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => [`--${name}`, `oklch(${token[theme].join(' ')})`]),
  );
}
