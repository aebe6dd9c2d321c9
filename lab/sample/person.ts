/** What a drawn person looks like. Colors are hex. */
export interface Person {
  hair: 'bob' | 'bun' | 'cap' | 'short';
  hairColor: string;
  skin: { base: string; shade: string; line: string; lips: string };
  /** A beanie's color, for `cap`. */
  cap?: string;
  glasses?: boolean;
  shirt: { base: string; shade: string; collar: string; light: string };
}

/** How open a mouth is, from closed to wide, and two shapes of consonants and of “oo”. */
export type Mouth = 'closed' | 'slight' | 'middle' | 'wide' | 'teeth' | 'round';

export type Eyes = 'open' | 'half' | 'closed';

/** The size of a drawing, in its own units. */
export const DRAWING = { width: 976, height: 549 };

const blurred = (id: string, amount: number) =>
  `<filter id="${id}" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="${amount}"/></filter>`;

const glow = (id: string, color: string, opacity: number) =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="${opacity}"/><stop offset=".5" stop-color="${color}" stop-opacity="${opacity * 0.55}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`;

const FACE = `M389,236 C389,196 408,168 437,160 L505,160 C533,168 551,198 551,236 C553,262 549,290 540,314
  C531,338 510,384 470,384 C430,384 409,338 400,314 C391,290 387,262 389,236Z`;

function backOfHair({ hair, hairColor }: Person): string {
  if (hair === 'bun')
    return `<circle cx="470" cy="66" r="33" fill="${hairColor}"/><path fill="${hairColor}"
      d="M470,88 C402,88 376,146 377,212 C377,244 384,268 392,290 L548,290 C556,268 563,244 563,212 C564,146 538,88 470,88Z"/>`;
  if (hair === 'short')
    return `<path fill="${hairColor}" d="M470,104 C412,104 382,146 381,200 C381,222 384,238 388,250 L552,250
      C556,238 559,222 559,200 C558,146 528,104 470,104Z"/>`;
  return `<path fill="${hairColor}" d="M470,89 C400,89 360,150 360,222 C360,254 362,276 365,302 C364,356 367,400 405,400
    L535,400 C573,400 576,356 575,302 C578,276 580,254 580,222 C580,150 540,89 470,89Z"/>`;
}

function frontOfHair({ hair, hairColor, cap = '#AB4931' }: Person): string {
  const shine = (path: string) =>
    `<path d="${path}" fill="none" stroke="#fff" stroke-opacity=".16" stroke-width="15" stroke-linecap="round" filter="url(#soft)"/>`;
  if (hair === 'cap')
    return `<path fill="${hairColor}" d="M386,206 L392,206 L390,300 L383,262Z M554,206 L548,206 L550,300 L557,262Z"/>
      <path fill="${cap}" d="M374,190 C372,118 410,70 470,70 C530,70 568,118 566,190Z"/>
      <path fill="#000" fill-opacity=".16" d="M374,190 C372,118 410,70 470,70 C424,88 406,134 408,190Z"/>
      <rect x="368" y="166" width="204" height="38" rx="17" fill="${cap}"/>
      <rect x="368" y="166" width="204" height="38" rx="17" fill="#000" fill-opacity=".14"/>`;
  if (hair === 'bun')
    return `<path fill="${hairColor}" d="M386,246 C384,190 404,158 470,157 C536,158 556,190 554,246 C560,170 536,128 470,128
      C404,128 380,170 386,246Z M470,100 C410,104 384,150 386,232 C392,190 420,160 470,158 C520,160 548,190 554,232 C556,150 530,104 470,100Z"/>
      ${shine('M488,114 Q532,126 546,170')}`;
  if (hair === 'short')
    return `<path fill="${hairColor}" d="M387,238 C384,188 396,176 420,166 C452,178 500,178 536,158 C552,178 556,196 553,238
      C562,160 540,108 470,104 C400,108 378,160 387,238Z"/>${shine('M486,122 Q526,128 542,164')}`;
  return `<path fill="${hairColor}" d="M434,170 C408,184 391,212 389,238 L383,258 L372,262 C368,170 404,106 470,104
    C536,106 574,170 568,262 L557,258 L551,238 C551,228 547,218 542,211 C516,196 462,186 434,170Z"/>
    ${shine('M466,118 Q528,120 550,186')}`;
}

const EYE_X = [435, 504] as const;

function eye(x: number, state: Eyes, skin: Person['skin']): string {
  const lid = (bend: number) =>
    `<path d="M${x - 21},255 Q${x},${bend} ${x + 21},255" fill="none" stroke="#231815" stroke-width="4.6" stroke-linecap="round"/>`;
  if (state === 'closed') return lid(266);
  const white = `M${x - 20},255 Q${x},237 ${x + 20},255 Q${x},270 ${x - 20},255Z`;
  const half =
    state === 'half'
      ? `<path d="M${x - 22},256 Q${x},236 ${x + 22},256 L${x + 22},240 L${x - 22},240Z" fill="${skin.base}"/>`
      : '';
  return `<clipPath id="eye${x}"><path d="${white}"/></clipPath><path d="${white}" fill="#fbf3ec"/>
    <g clip-path="url(#eye${x})"><circle cx="${x}" cy="254" r="8.6" fill="#2a1a15"/><circle cx="${x - 3}" cy="250.6" r="2.4" fill="#fff"/></g>
    ${half}${lid(state === 'half' ? 248 : 236)}`;
}

const brow = (x: number, color: string) =>
  `<path d="M${x - 22},229 Q${x},215 ${x + 22},227" fill="none" stroke="${color}" stroke-width="7" stroke-linecap="round"/>`;

function glasses(): string {
  const lens = (x: number) =>
    `<rect x="${x - 29}" y="235" width="58" height="41" rx="19" fill="#fff" fill-opacity=".07" stroke="#2a201c" stroke-width="5"/>`;
  return `${EYE_X.map(lens).join('')}<path d="M464,250 Q469.5,246 475,250 M406,250 L388,246 M533,250 L551,246" fill="none" stroke="#2a201c" stroke-width="5"/>`;
}

const OPEN_MOUTHS: Record<Exclude<Mouth, 'closed'>, { outline: string; teeth: string; tongue?: string }> = {
  slight: {
    outline: 'M446,318 Q470,323 494,318 Q484,334 470,334 Q456,334 446,318Z',
    teeth: 'M450,319 Q470,323 490,319 Q482,326 470,326 Q458,326 450,319Z',
  },
  middle: {
    outline: 'M441,316 Q470,320 499,316 Q494,345 470,346 Q446,345 441,316Z',
    teeth: 'M445,317 Q470,321 495,317 L492,325 Q470,329 448,325Z',
    tongue: 'M453,339 Q470,328 487,339 Q480,346 470,346 Q460,346 453,339Z',
  },
  wide: {
    outline: 'M439,313 Q470,317 501,313 Q499,355 470,357 Q441,355 439,313Z',
    teeth: 'M443,314 Q470,318 497,314 L494,324 Q470,329 446,324Z',
    tongue: 'M449,347 Q470,332 491,347 Q483,357 470,357 Q457,357 449,347Z',
  },
  teeth: {
    outline: 'M443,316 Q470,320 497,316 Q490,337 470,338 Q450,337 443,316Z',
    teeth: 'M447,318 Q470,321 493,318 Q487,332 470,333 Q453,332 447,318Z',
  },
  round: {
    outline: 'M454,328 C454,314 486,314 486,328 C486,347 454,347 454,328Z',
    teeth: 'M460,320 Q470,316 480,320 Q470,324 460,320Z',
  },
};

function mouth(shape: Mouth, lips: string): string {
  if (shape === 'closed')
    return `<path d="M441,320 Q470,339 499,320" fill="none" stroke="${lips}" stroke-width="6.6" stroke-linecap="round"/>`;
  const { outline, teeth, tongue } = OPEN_MOUTHS[shape];
  return `<path d="${outline}" fill="#571d1f" stroke="${lips}" stroke-width="4" stroke-linejoin="round"/>
    <path d="${teeth}" fill="#fdf6ef"/>${tongue ? `<path d="${tongue}" fill="#a8514d"/>` : ''}`;
}

/**
 * Draws a person's head and neck, lit from the right, as SVG elements on {@link DRAWING}. Parts of it have ids, so a
 * document can hold one.
 */
export function headOf(person: Person, state: { mouth: Mouth; eyes: Eyes }): string {
  const { skin, hairColor } = person;
  const ear = (x: number, fill: string) =>
    person.hair === 'cap' ? '' : `<ellipse cx="${x}" cy="261" rx="15" ry="22" fill="${fill}"/>`;
  return `<defs>${blurred('soft', 5)}<clipPath id="face"><path d="${FACE}"/></clipPath>
      <linearGradient id="shade"><stop offset=".3" stop-color="${skin.shade}" stop-opacity=".62"/><stop offset="1" stop-color="${skin.shade}" stop-opacity="0"/></linearGradient>
      ${glow('light', '#fff', 0.2)}${glow('cheek', '#e2725b', 0.34)}${glow('shaded-cheek', '#c2564a', 0.3)}</defs>
    ${backOfHair(person)}
    <path d="M424,340 L424,470 L516,470 L516,340Z" fill="${skin.base}"/>
    <path d="M424,340 L424,470 L476,470 L476,384 L516,366 L516,340Z" fill="${skin.shade}"/>
    ${ear(389, skin.shade)}${ear(551, skin.base)}
    <path d="${FACE}" fill="${skin.base}"/>
    <g clip-path="url(#face)">
      <rect x="388" y="140" width="68" height="260" fill="url(#shade)"/>
      <ellipse cx="506" cy="206" rx="58" ry="54" fill="url(#light)"/>
      <ellipse cx="515" cy="290" rx="46" ry="34" fill="url(#cheek)"/>
      <ellipse cx="420" cy="294" rx="40" ry="32" fill="url(#shaded-cheek)"/>
    </g>
    ${EYE_X.map((x) => brow(x, person.hair === 'short' ? '#6f665e' : hairColor)).join('')}
    ${EYE_X.map((x) => eye(x, state.eyes, skin)).join('')}
    <path d="M465,253 C462,270 456,280 456,288 C456,298 470,300 481,296" fill="none" stroke="${skin.line}" stroke-width="5.4" stroke-linecap="round"/>
    ${mouth(state.mouth, skin.lips)}
    ${person.glasses ? glasses() : ''}${frontOfHair(person)}`;
}

const TORSO = `M416,406 L358,436 C268,458 214,494 172,549 L768,549 C726,494 672,458 582,436 L524,406
  C516,428 494,436 470,436 C446,436 424,428 416,406Z`;

/** Draws a person's shoulders, which go over the neck, as SVG elements on {@link DRAWING}. */
export function shouldersOf({ shirt }: Person): string {
  return `<defs>${blurred('edge', 7)}${blurred('rim', 4)}<clipPath id="torso"><path d="${TORSO}"/></clipPath></defs>
    <path d="${TORSO}" fill="${shirt.base}"/>
    <g clip-path="url(#torso)">
      <path d="M150,380 L436,380 L436,570 L150,570Z" fill="${shirt.shade}" filter="url(#edge)"/>
      <path d="M578,440 C668,462 722,498 764,553" fill="none" stroke="${shirt.light}" stroke-width="13" stroke-opacity=".8" filter="url(#rim)"/>
    </g>
    <path fill="${shirt.collar}" d="M416,406 C424,428 446,436 470,436 C494,436 516,428 524,406 L542,422 C530,448 502,460 470,460 C438,460 410,448 398,422Z"/>`;
}
