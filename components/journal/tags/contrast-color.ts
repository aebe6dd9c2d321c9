/** Returns the relative luminance of `#RRGGBB` (WCAG 2.2). */
function luminance(color: string): number {
  const channel = (from: number) => {
    const value = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** Returns black or white, whichever contrasts more with a color; one of them always reaches at least 4.5. */
export function contrastColor(color: string): '#000000' | '#FFFFFF' {
  const light = luminance(color) + 0.05;
  return light / 0.05 >= 1.05 / light ? '#000000' : '#FFFFFF';
}
