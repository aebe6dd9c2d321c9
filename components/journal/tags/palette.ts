/** Colors for tags that go together, and stay apart in both themes and with most kinds of color blindness. */
export const PALETTE = [
  ['Clay', '#AB4931'],
  ['Coral', '#C2404E'],
  ['Rose', '#AC3C70'],
  ['Plum', '#814085'],
  ['Violet', '#6B4CAE'],
  ['Indigo', '#3D52A8'],
  ['Blue', '#156BA6'],
  ['Teal', '#0A747D'],
  ['Fern', '#367646'],
  ['Moss', '#616D27'],
  ['Ochre', '#8D6310'],
  ['Stone', '#5C6661'],
] as const;
