import { describe, expect, it } from 'vitest';
import { type Oklch, TOKENS, type TokenName } from './tokens';

/** Returns the relative luminance of a color (WCAG 2.2), by way of linear sRGB (Björn Ottosson's OKLab matrices). */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Oklch, other: Oklch): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

const GROUNDS = ['canvas', 'surface', 'sunken'] as const;
const TEXT = ['ink', 'ink-2', 'ink-3', 'accent', 'danger', 'ok', 'warn'] as const;

/** Foreground, background, minimum ratio (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS: [TokenName, TokenName, number][] = [
  ...GROUNDS.flatMap((ground) => TEXT.map((text): [TokenName, TokenName, number] => [text, ground, 4.5])),
  ...GROUNDS.flatMap((ground): [TokenName, TokenName, number][] => [
    ['line-strong', ground, 3],
    ['focus', ground, 3],
    ['rec', ground, 3],
    ['now', ground, 3],
  ]),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-rec', 'rec', 4.5],
  ['on-danger', 'danger', 4.5],
  ['accent-ink', 'accent-soft', 4.5],
  ['ink', 'mark', 4.5],
  ['ink', 'accent-soft', 4.5],
];

describe.each(['light', 'dark'] as const)('%s theme', (theme) => {
  it.each(PAIRS)('%s on %s reaches %d', (front, back, least) => {
    expect(contrast(TOKENS[front][theme], TOKENS[back][theme])).toBeGreaterThanOrEqual(least);
  });
});
