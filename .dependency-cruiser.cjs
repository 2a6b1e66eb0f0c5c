/** The arrows between folders: config → plugins, providers → kernel. Run by `npm run check`. */

const named = (name, from, to) => ({ name, severity: 'error', from, to })
/** Kinds of plugins that reach neither the store nor the ledger, and no network of their own. */
const pure = '^(providers|plugins/(formats|operations|payments|oauth|tasks|notifiers|guards))/'
const network = '^(node:)?(net|tls|dgram|dns|http|https|http2|dns/promises)$'

module.exports = {
  forbidden: [
    named(
      'kernel imports no other folder',
      { path: '^kernel/' },
      { path: '^(plugins|providers|config|test)/' },
    ),
    named(
      'a provider imports the kernel only',
      { path: '^providers/([^/]+)/' },
      {
        path: '^(plugins|providers|config|test)/',
        pathNot: '^providers/$1/',
      },
    ),
    named(
      'of the kernel, authors import the contract and the rooms of the toolkit',
      { path: '^(plugins|providers)/' },
      { path: '^kernel/', pathNot: ['^kernel/contract/', '^kernel/toolkit/[^/]+/index\\.ts$'] },
    ),
    named(
      'the toolkit imports the contract and itself',
      { path: '^kernel/toolkit/' },
      { path: '^kernel/', pathNot: '^kernel/(contract|toolkit)/' },
    ),
    named(
      'the contract imports nothing else of the kernel',
      { path: '^kernel/contract/' },
      { path: '^kernel/', pathNot: '^kernel/contract/' },
    ),
    named(
      'an author of a provider meets neither services nor databases',
      { path: '^kernel/contract/[^/]+\\.ts$', pathNot: '^kernel/contract/service(-kit)?\\.ts$' },
      { path: ['^kernel/contract/service', '(^|/)node_modules/(@types/)?(knex|pg|objection)/'] },
    ),
    named(
      'no cycles of types in the contract',
      { path: '^kernel/contract/' },
      { circular: true, viaOnly: { path: '^kernel/contract/' } },
    ),
    named(
      'a plugin imports no provider, configuration or test',
      { path: '^plugins/' },
      { path: '^(providers|config|test)/' },
    ),
    named(
      'between plugins only types',
      { path: '^plugins/([^/]+)/([^/]+)/' },
      {
        path: '^plugins/',
        pathNot: '^plugins/$1/$2/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    named(
      'of another plugin only its index.ts',
      { path: '^plugins/([^/]+)/([^/]+)/' },
      {
        path: '^plugins/[^/]+/[^/]+/',
        pathNot: ['^plugins/$1/$2/', '/index\\.ts$'],
      },
    ),
    named(
      'nothing imports a test',
      { path: '^(kernel|plugins|providers|config)/' },
      // The gateway of `waybill/testing` is no test; a command tries providers through it.
      { path: '^test/', pathNot: '^test/testing/' },
    ),
    named(
      'the console takes contract types only',
      { path: '^console/' },
      {
        path: '^(kernel|plugins|providers|config|test)/',
        pathNot: '^kernel/contract/',
      },
    ),
    named(
      'the console takes contract types only, no code of theirs',
      { path: '^console/' },
      { path: '^kernel/contract/', dependencyTypesNot: ['type-only'] },
    ),
    named(
      'an area of the console knows no other',
      { path: '^console/modules/([^/]+)/' },
      { path: '^console/modules/', pathNot: '^console/modules/$1/' },
    ),
    named(
      'what areas share knows none of them',
      { path: '^console/(shell|ui|api)/', pathNot: '^console/shell/modules\\.ts$' },
      { path: '^console/modules/' },
    ),
    named(
      'only the container knows tsyringe',
      { pathNot: '^kernel/registry/container\\.ts$' },
      {
        path: '(^|/)node_modules/(tsyringe|reflect-metadata)/',
      },
    ),
    named(
      'pure plugins reach nothing of the kernel that does',
      { path: pure },
      {
        path: '^kernel/(store|egress|http|live|registry|schedule|boot)',
        dependencyTypesNot: ['type-only'],
      },
    ),
    named(
      'pure plugins have no network',
      { path: pure },
      {
        path: [network, '(^|/)node_modules/(undici|pg|knex|ws)/'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    named(
      'egress is the only way out',
      { path: '^(kernel|plugins|providers|config)/', pathNot: '^kernel/egress/' },
      {
        path: '(^|/)node_modules/undici/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    named('no cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    named('every import leads somewhere', {}, { couldNotResolve: true }),
    named(
      'what runs is no development dependency',
      { path: '^(kernel|plugins|providers|config)/' },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '(^|/)node_modules/@types/',
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist[./]|test/fixtures/|config/scaffold/)|^(config|test)/.*\\.mjs$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
