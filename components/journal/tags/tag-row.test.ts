import { expect, it } from 'vitest';
import { contrastColor } from './tag-row';

it.each([
  ['#FFFFFF', '#000000'],
  ['#ffff00', '#000000'],
  ['#FF0000', '#000000'],
  ['#0000FF', '#FFFFFF'],
  ['#14624A', '#FFFFFF'],
  ['#000000', '#FFFFFF'],
])('picks text for %s: %s', (color, ink) => {
  expect(contrastColor(color)).toBe(ink);
});
