/**
 * The gateway's log: bunyan records, one JSON line per event. Everything passes one sink, which makes a line of any
 * record (big integers and circles included) and masks secrets in it (X3).
 */
import { hostname } from 'node:os'
import bunyan from 'bunyan'
import type { Log } from '../contract/kit.js'
import { truncationMarker } from '../toolkit/service/persistent-text.js'
import { createRedaction } from '../toolkit/service/redaction.js'
import { errorFields } from './error-fields.js'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

export interface GatewayLog extends Log {
  /** From now on this value is masked wherever it turns up. Shorter than 6 characters: ignored. */
  secret(value: string): void
  /** A text as a line would have it: what is secret in it is masked. */
  masked(text: string): string
  /** Lines that were dropped since the process began, since nobody read them. */
  dropped(): number
}

export interface LogOptions {
  readonly name: string
  readonly level: LogLevel
  /** Gets whole lines. */
  readonly stream: { write(line: string): unknown; dropped?(): number }
}

export function createLog(options: LogOptions): GatewayLog {
  const redaction = createRedaction()
  const sink = {
    write(record: object) {
      const line = redaction.mask(lineOf(record))
      options.stream.write(`${line.length > plainLineMax ? shortened(line) : line}\n`)
    },
  }
  const logger = bunyan.createLogger({
    name: options.name,
    streams: [{ type: 'raw', level: options.level, stream: sink }],
    serializers: { err: errorFields },
  })
  return {
    debug: (fields, message) => void logger.debug(fields, message),
    info: (fields, message) => void logger.info(fields, message),
    warn: (fields, message) => void logger.warn(fields, message),
    error: (fields, message) => void logger.error(fields, message),
    secret: redaction.add,
    masked: redaction.mask,
    dropped: () => options.stream.dropped?.() ?? 0,
  }
}

/** A warning as a line of the log of that name, without the log. */
export function warningLine(name: string, fields: object, message: string): string {
  const record = { name, hostname: hostname(), pid: process.pid, level: bunyan.WARN, ...fields }
  return `${JSON.stringify({ ...record, msg: message, time: new Date(), v: 0 })}\n`
}

/** The same log, every line with these fields too. */
export function withFields(log: Log, own: object): Log {
  return {
    debug: (fields, message) => log.debug({ ...own, ...fields }, message),
    info: (fields, message) => log.info({ ...own, ...fields }, message),
    warn: (fields, message) => log.warn({ ...own, ...fields }, message),
    error: (fields, message) => log.error({ ...own, ...fields }, message),
  }
}

function lineOf(record: object): string {
  try {
    return JSON.stringify(record)
  } catch {
    return tolerantLineOf(record)
  }
}

/** What a plugin throws may hold a `toJSON` or a getter that throws once more. */
function tolerantLineOf(record: object): string {
  try {
    return JSON.stringify(record, tolerant())
  } catch {
    const plain = Object.entries(record).filter(([, value]) => typeof value !== 'object')
    return JSON.stringify(Object.fromEntries(plain), tolerant())
  }
}

/** Lines that may hold something endless: a path, a name, what an upstream sent. */
const plainLineMax = 4096
/** Longest text in such a line, characters; a stack trace shows where. */
const textMax = 1024
const stackMax = 8192
const itemsMax = 100

/** The same line with its texts and lists cut. Secrets are masked by now: half of one would not be recognised. */
function shortened(line: string): string {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    // A mask that fell across the quotes of a field is no reason to lose the line.
    return line.slice(0, plainLineMax) + truncationMarker
  }
  return JSON.stringify(record, (key, value: unknown) => {
    if (typeof value === 'string') {
      const most = key === 'stack' ? stackMax : textMax
      return value.length > most ? `${value.slice(0, most)}${truncationMarker}` : value
    }
    return Array.isArray(value) && value.length > itemsMax ? value.slice(0, itemsMax) : value
  })
}

/** A replacer for what JSON has no word for. Slow, so only where the plain way failed. */
function tolerant(): (key: string, value: unknown) => unknown {
  const above: object[] = []
  return function (this: unknown, _key, value) {
    if (typeof value === 'bigint') return value.toString()
    if (typeof value !== 'object' || value === null) return value
    while (above.length > 0 && above.at(-1) !== this) above.pop()
    if (above.includes(value)) return '[circle]'
    above.push(value)
    return value
  }
}
