/** Texts of the system page, English. */
export default {
  title: 'System',
  about: 'How the gateway runs: processes, database, response statistics and caches.',
  tiles: {
    version: 'Version',
    online: 'Processes online',
    stale: 'one is silent | {count} are silent',
    noneStale: 'none is silent',
    database: 'Database',
    databaseMs: 'Database response time',
    databaseMsAbout: 'measured by the process that served this page',
    down: 'No response',
  },
  instances: 'Processes',
  instancesAbout:
    'Each process sends a heartbeat every 15 seconds; one that shuts down normally removes its entry.',
  states: { online: 'Online', stale: 'Silent' },
  seen: 'heartbeat {age} ago',
  pid: 'process {pid}',
  memory: '{rss}, of it {heap} heap',
  staleNext:
    'It stopped unexpectedly or cannot reach the database. Other processes close its open holds.',
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
      'Responses since the start whose reported usage was implausible. The upper limit was charged; their log rows show what was reported.',
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
  answers: 'Responses of this process',
  answersAbout: 'Since it started, by class of HTTP status.',
  classes: {
    '1xx': 'sockets',
    '2xx': 'successful',
    '3xx': 'redirected, or not changed',
    '4xx': 'refused: client error',
    '5xx': 'failed: an upstream, or the gateway',
  },
  affinity: {
    title: 'Affinity cache',
    about:
      'Conversations stay on the channel that has their prompt cached. Counted by this process.',
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
