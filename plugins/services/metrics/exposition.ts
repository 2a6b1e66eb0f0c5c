/** The page Prometheus reads: the metrics of the process by prom-client, and the counts of this gateway. */
import prom from 'prom-client'
import type { System } from '../../../kernel/contract/services/system.js'
import type { Recordings } from '../recordings/index.js'
import { type AnswerCounts, kinds } from './answer-counts.js'
import { type GaugeDependencies, ownGauges, type Readings, storedGauges } from './gauges.js'
import type { RelayCounts } from './relay-counts.js'

export interface ExpositionDependencies extends GaugeDependencies {
  readonly answers: AnswerCounts
  readonly relays: RelayCounts
  readonly system: Pick<System, 'droppedLogLines'>
  readonly recordings: Pick<Recordings, 'counts'>
}

export interface Exposition {
  /** What this process counts. */
  own(): Promise<string>
  /** What all processes read in the database. */
  stored(): Promise<string>
  close(): void
}

export function exposition(dependencies: ExpositionDependencies): Exposition {
  const registry = new prom.Registry()
  prom.collectDefaultMetrics({ register: registry })
  return {
    async own() {
      const { answers, relays, system, recordings } = dependencies
      const counts = [...answerLines(answers), ...relayLines(relays), ...droppedLines(system)]
      counts.push(...recordingLines(recordings))
      const lines = [...counts, ...gaugeLines(ownGauges(dependencies))]
      return `${await registry.metrics()}\n${lines.join('\n')}\n`
    },
    stored: async () => `${gaugeLines(await storedGauges(dependencies)).join('\n')}\n`,
    close: () => registry.clear(),
  }
}

function answerLines(answers: AnswerCounts): readonly string[] {
  const requests = 'waybill_requests_total'
  const limited = 'waybill_rate_limited_total'
  const seconds = 'waybill_request_duration_seconds'
  return [
    ...head(requests, 'counter', 'Answers by kind of path and class of status.'),
    ...kinds.flatMap((kind) =>
      [1, 2, 3, 4, 5].map(
        (at) => `${requests}{kind="${kind}",status="${at}xx"} ${answers.of(kind).byClass[at] ?? 0}`,
      ),
    ),
    ...head(limited, 'counter', 'Requests refused for a limit of this gateway.'),
    ...kinds.map((kind) => `${limited}{kind="${kind}"} ${answers.of(kind).limited}`),
    ...head(seconds, 'histogram', 'From the request to the end of its answer.'),
    ...kinds.flatMap((kind) => answers.of(kind).durations.lines(seconds, `kind="${kind}"`)),
  ]
}

const rowCounts = [
  ['requests', 'waybill_relayed_total', 'Relayed requests that were delivered.'],
  ['input', 'waybill_input_tokens_total', 'Tokens read by models, cached ones included.'],
  ['output', 'waybill_output_tokens_total', 'Tokens written by models.'],
  ['quota', 'waybill_charged_quota_total', 'Quota the delivered requests cost.'],
] as const

function relayLines(relays: RelayCounts): readonly string[] {
  const rows = [...relays.all()]
  const ends = 'waybill_relay_ends_total'
  const failures = 'waybill_upstream_failures_total'
  const first = 'waybill_first_content_seconds'
  const anomalies = 'waybill_usage_corrected_total'
  return [
    ...rowCounts.flatMap(([field, name, help]) => [
      ...head(name, 'counter', help),
      ...rows.map((row) => {
        const { operation, format, channelType } = row
        const labels = `operation="${operation}",format="${format}",channel_type="${channelType}"`
        return `${name}{${labels}} ${row[field]}`
      }),
    ]),
    ...head(ends, 'counter', 'Relayed requests by how they ended.'),
    ...[...relays.ends.entries()].map(([end, count]) => `${ends}{end="${end}"} ${count}`),
    ...head(failures, 'counter', 'Tries of a channel that failed, by error code.'),
    ...[...relays.failures.entries()].map(
      ([code, count]) => `${failures}{code="${code}"} ${count}`,
    ),
    ...head(anomalies, 'counter', 'Relayed requests whose reported usage was bounded.'),
    `${anomalies} ${relays.anomalies}`,
    ...head(first, 'histogram', 'From the request to the first content of an upstream.'),
    ...relays.firstContent.lines(first),
  ]
}

function droppedLines(system: Pick<System, 'droppedLogLines'>): readonly string[] {
  const name = 'waybill_log_lines_dropped_total'
  const help = 'Lines of the log that nobody read in time.'
  return [...head(name, 'counter', help), `${name} ${system.droppedLogLines()}`]
}

function recordingLines(recordings: Pick<Recordings, 'counts'>): readonly string[] {
  const name = 'waybill_recordings_total'
  const { written, dropped } = recordings.counts()
  return [
    ...head(name, 'counter', 'Requests that were recorded, and those that could not be.'),
    `${name}{outcome="written"} ${written}`,
    `${name}{outcome="dropped"} ${dropped}`,
  ]
}

const helps: Readonly<Record<string, string>> = {
  waybill_breakers: 'Breakers of channel keys that let nothing, or one try, through.',
  waybill_database_connections: 'Connections of management work.',
  waybill_database_up: 'The database answered this reading.',
  waybill_ledger_check_failed: '1 while the last check of the books came to no end.',
  waybill_ledger_checked_timestamp_seconds:
    'When the books were last checked to the end; 0: never.',
  waybill_ledger_breaches: 'What that check found broken.',
  waybill_holds: 'Requests with money set aside, in all processes.',
  waybill_held_quota: 'Quota set aside, in all processes.',
  waybill_outbox_waiting: 'Notices waiting to be delivered, counted up to 10000.',
}

function gaugeLines(readings: Readings): readonly string[] {
  let reported = ''
  return Object.entries(readings).flatMap(([name, value]) => {
    const metric = name.split('{')[0]!
    const begins = metric !== reported
    reported = metric
    return [...(begins ? head(metric, 'gauge', helps[metric] ?? '') : []), `${name} ${value}`]
  })
}

function head(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}
