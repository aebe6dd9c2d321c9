const { layers } = require('./layers.cjs');

/** One rule for each layer: it imports nothing from a higher one. Type-only imports count; tests don't. */
const upwardImports = layers.slice(0, -1).map(({ name, path }, index) => ({
  name: `no-upward-imports-from-${name.replace('/', '-')}`,
  comment: 'layers.cjs lists the layers, lowest first. Move the shared part down, or the caller up.',
  severity: 'error',
  from: { path, pathNot: '\\.test\\.tsx?$' },
  to: { path: layers.slice(index + 1).map((layer) => layer.path) },
}));

/**
 * Who may import whom. The contracts, services and routes of a noun each see only what they need.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    ...upwardImports,
    {
      name: 'every-folder-has-a-layer',
      comment: 'Add a new folder to layers.cjs.',
      severity: 'error',
      from: { path: '^(lib|db|inngest|components|app)/', pathNot: layers.map(({ path }) => path) },
      to: {},
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contracts-stay-light',
      comment:
        'A contract is shared with the browser and with the OpenAPI document: zod, fields, shared files, and contracts only.',
      severity: 'error',
      from: { path: '^lib/.*/contract\\.ts$' },
      to: { pathNot: '/contract\\.ts$|fields\\.ts$|/shared/|^lib/foundation/contract/|^node_modules/zod/' },
    },
    {
      name: 'shared-files-stay-light',
      comment: 'Browsers load what is in a shared folder: nothing but other shared files, and types.',
      severity: 'error',
      from: { path: '^lib/.*/shared/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(lib|db)/', pathNot: '/shared/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-know-no-framework',
      comment: 'What happens is the same whether a page, an endpoint, or a job asks for it.',
      severity: 'error',
      from: {
        path: '^(lib|inngest|db)/',
        pathNot:
          '^lib/(api|foundation/http)/|/cookies\\.ts$|^lib/account/(sessions/guards|preferences/current)\\.ts$|\\.tsx$|\\.test\\.ts$',
      },
      to: { path: '^node_modules/(next/|react/|react-dom/)' },
    },
    {
      name: 'services-take-no-part-of-the-interface',
      severity: 'error',
      from: { path: '^(lib|inngest|db)/' },
      to: { path: '^(app|components)/' },
    },
    {
      name: 'middleware-stays-light',
      comment:
        'It runs before every page, on serverless hosts in a function of its own. bucket-url.ts needs no SDK.',
      severity: 'error',
      from: { path: '^middleware\\.ts$' },
      to: {
        path: '^node_modules/(@aws-sdk|@smithy|stripe|resend|nodemailer|inngest|@node-rs/argon2|@react-email|react-dom|@opentelemetry|@ffmpeg|ffmpeg-static|soundswallower|onnxruntime-web)/|^lib/video/(media|speech)/',
        reachable: true,
      },
    },
    {
      name: 'only-services-ask-the-database',
      severity: 'error',
      from: { path: '^(app|components|inngest)/|^middleware\\.ts$', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^db/' },
    },
    {
      name: 'one-way-to-the-database',
      comment: 'db/connect.ts decides on TLS for every connection.',
      severity: 'error',
      from: {
        pathNot:
          '^db/connect\\.ts$|^node_modules/|\\.(test|spec)\\.ts$|^(test|e2e|lab)/|^local/(up/fixtures/|inngest/test-)',
      },
      to: { path: '^node_modules/postgres/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-services-use-service-clients',
      severity: 'error',
      from: { path: '^(app|components)/' },
      to: { path: '^lib/(clients|video/media)/' },
    },
    {
      name: 'the-browser-gets-types-only',
      comment:
        'Components take contracts as types, so that zod and the server stay out of the browser. Tests run on Node.',
      severity: 'error',
      // The landing page and the frames of the dashboard and of an empty journal are rendered on the server only.
      from: {
        path: '^components/',
        pathNot: '\\.test\\.tsx?$|^components/(landing/|home/(dashboard|onboarding/first-steps)\\.tsx$)',
      },
      to: {
        path: '^lib/',
        pathNot: '/shared/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-leans-on-the-local-cloud',
      severity: 'error',
      from: { path: '^(app|components|lib|db|inngest)/|^middleware\\.ts$', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(local|test|e2e|lab)/' },
    },
    {
      name: 'the-local-cloud-speaks-protocols',
      comment: 'The stand-ins know the protocols and not the app; only the start and the demo know both.',
      severity: 'error',
      from: { path: '^local/(?!(up|demo)/)[^/]+/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(app|components|lib|db|inngest)/', pathNot: '^db/(connect|pool)\\.ts$' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { pathNot: '\\.(test|spec)\\.tsx?$|^(test|e2e|lab|local)/' },
      to: { path: '\\.(test|spec)\\.tsx?$|^(test|e2e)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.next|\\.data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
