/** The parts of the benchmark beside the main one: each measures one thing, and is imported when it is named. */

interface Part {
  /** What it shows, after `npm run bench -- --<name>`. */
  readonly about: string
  /** With what stands behind its name. Resolves with an exit status, or nothing for 0. */
  run(rest: readonly string[]): Promise<number | undefined> | Promise<void>
}

const parts: Readonly<Record<string, Part>> = {
  against: {
    about: '<commit>: this build beside that of another commit, interleaved; also with --quick',
    run: async ([commit = 'HEAD', ...rest]) =>
      (await import('./against.js')).runAgainst(commit, rest.includes('--quick')),
  },
  peers: {
    about: "this gateway beside Portkey's, which is installed into a folder of its own",
    run: async () => (await import('./peers.js')).runPeers(),
  },
  allocations: {
    about: 'what a request allocates, and where',
    run: async () => (await import('./allocations.js')).runAllocations(),
  },
  young: {
    about: '<other node>: what sizes of the young generation cost, on two releases of Node.js',
    run: async (rest) => (await import('./young.js')).runYoung(rest),
  },
  pairs: {
    about: 'what bodies, picks and each conversion between formats cost',
    async run() {
      ;(await import('./bodies.js')).runBodies()
      ;(await import('./pick.js')).runPick()
      await (await import('./pairs.js')).runPairs()
    },
  },
  'large-bodies': {
    about: 'memory and event loop with bodies of 20 to 50 MB, one and twenty at once',
    run: async () => (await import('./large-bodies.js')).runLargeBodies(),
  },
  workers: {
    about: 'what a second worker adds',
    run: async () => (await import('./workers.js')).runWorkers(),
  },
  start: {
    about: 'how long a start takes, from a fresh directory and again',
    run: async () => (await import('./start.js')).runStart(),
  },
  channels: {
    about: 'what ten thousand channels cost',
    run: async () => (await import('./channels.js')).runChannels(),
  },
  logins: {
    about: 'what a flood of sign-ins costs the relay',
    run: async () => (await import('./logins.js')).runLogins(),
  },
  usage: {
    about: 'searches and pages of a usage log of a million rows',
    run: async () => (await import('./usage-search.js')).runUsageSearch(),
  },
  'large-data': {
    about: 'what the management API takes over five million rows',
    run: async () => (await import('./large-data.js')).runLargeData(),
  },
  threads: {
    about: 'what a plugin in a thread of its own costs',
    run: async () => (await import('./threads.js')).runThreads(),
  },
}

/** The one whose name is among the arguments. */
export function partNamed(
  args: readonly string[],
): { run(): Promise<number | undefined> | Promise<void> } | undefined {
  if (args.includes('--help')) return { run: async () => console.log(listed()) }
  const at = args.findIndex((arg) => Object.hasOwn(parts, arg.slice(2)))
  const part = parts[args[at]?.slice(2) ?? '']
  return part && { run: () => part.run([...args.slice(at + 1), ...args.slice(0, at)]) }
}

function listed(): string {
  const rows = Object.entries(parts).map(([name, { about }]) => `  --${name.padEnd(14)}${about}`)
  return ['Each with: npm run bench -- --<part>', '', ...rows].join('\n')
}
