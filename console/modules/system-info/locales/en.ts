/** Texts of the system page, English. */
export default {
  title: 'System',
  about:
    'How the gateway runs: its processes, its database, what it answered and what it remembers.',
  tiles: {
    version: 'Version',
    online: 'Processes online',
    stale: 'one is silent | {count} are silent',
    noneStale: 'none is silent',
    database: 'Database',
    databaseMs: 'Database answers in',
    databaseMsAbout: 'measured by the process that served this page',
    down: 'No answer',
  },
  instances: 'Processes',
  instancesAbout:
    'Each reports every 15 seconds that it runs; one that stops in order takes its entry along.',
  states: { online: 'Online', stale: 'Silent' },
  seen: 'heartbeat {age} ago',
  pid: 'process {pid}',
  memory: '{rss}, of it {heap} heap',
  staleNext:
    'It ended without saying goodbye, or cannot reach the database. Its open holds are closed by the others.',
  facts: {
    version: 'Version',
    uptime: 'Running for',
    started: 'Started',
    memory: 'Memory',
    delay: 'Event-loop delay (p99)',
    load: 'Load of the machine',
    database: 'Database',
    anomalies: 'Usage corrected',
    host: 'Machine',
    node: 'Node.js',
  },
  factsAbout: {
    delay:
      'How late timers ran since the last heartbeat. Above some 100 ms the process has too much to do.',
    load: 'Over one, five and fifteen minutes',
    anomalies:
      'Answers since the start whose reported usage could not be true. The bound was charged; their log rows say what was reported.',
  },
  removeStale: {
    label: 'Remove silent ones ({count})',
    title:
      'Remove the entry of one silent process? | Remove the entries of {count} silent processes?',
    text: 'Only entries that were silent for more than {seconds} seconds go. A process that still runs comes back with its next heartbeat.',
    done: 'No entry was removed. | One entry was removed. | {count} entries were removed.',
  },
  remove: {
    label: 'Delete {name}',
    title: 'Remove the entry of {name}?',
    text: 'Its last report is lost. If the process still runs, it comes back with its next heartbeat.',
    done: 'The entry of {name} was removed.',
  },
  answers: 'Answers of this process',
  answersAbout: 'Since it started, by class of HTTP status.',
  classes: {
    '1xx': 'sockets',
    '2xx': 'went well',
    '3xx': 'elsewhere, or not changed',
    '4xx': 'refused: the caller is at fault',
    '5xx': 'failed: an upstream, or the gateway',
  },
  affinity: {
    title: 'Affinity cache',
    about:
      'Conversations stay with the channel whose prompt cache knows them. Counted by this process.',
    rule: 'Rule',
    ties: 'Ties',
    hits: 'Hits',
    misses: 'Misses',
    rate: 'Hit rate',
    cached: 'Cached tokens',
    clear: 'Unbind',
    clearOneLabel: 'Unbind all of {rule}',
    clearAllLabel: 'Unbind all',
    clearAll: 'Unbind every conversation from its channel?',
    clearOne: 'Unbind every conversation of the rule {rule}?',
    clearText:
      'In every process. The next request of each conversation is routed anew, and may find no prompt cache where it lands.',
    cleared: 'The conversations are unbound.',
    empty: 'No affinity rules',
    emptyNext: 'Rules are set among the options of routing.',
  },
  trim: {
    name: 'Clean up the usage log',
    about:
      'Deletes single rows. Sums, charts, balances and the ledger stay as they are; the price breakdown of deleted requests is gone for good.',
    before: 'Everything before',
    found: 'No row is older. | One row is older. | {count} rows are older.',
    foundMany: '{count} rows or more are older.',
    verb: 'Delete rows',
    title: 'Delete the rows from before {day}?',
    text: 'What is deleted cannot be brought back. Rows that are not summed up yet stay.',
    done: 'No row was deleted. | One row was deleted. | {count} rows were deleted.',
  },
}
