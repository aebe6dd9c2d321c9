/** The areas of `lib`, lowest first. */
const lib = [
  'foundation',
  'limits',
  'clients',
  'messaging',
  'billing',
  'journal',
  'video',
  'reminders',
  'account',
  'portability',
  'operations',
  'api',
];

/** The areas of `components`, lowest first. They have the names of the areas of `lib` that they show. */
const components = [
  'ui',
  'device',
  'billing',
  'journal',
  'capture',
  'reminders',
  'portability',
  'account',
  'home',
  'landing',
  'shell',
];

const layersOf = (folder, areas) =>
  areas.map((area) => ({ name: `${folder}/${area}`, path: `^${folder}/${area}/` }));
const [foundation, ...domain] = layersOf('lib', lib);

/**
 * The layers of the app, lowest first. A module may import from its own layer and from lower ones; lint rejects the rest.
 * @type {{ name: string, path: string }[]}
 */
module.exports.layers = [
  foundation,
  { name: 'db', path: '^db/' },
  ...domain,
  { name: 'inngest', path: '^inngest/' },
  ...layersOf('components', components),
  { name: 'app', path: '^app/|^(middleware|instrumentation)\\.ts$' },
];
