/**
 * What relayed requests came to: by operation, client format and channel type, which are few. Models, users and API keys
 * are no labels: there is no end of them.
 */
import type { Settling } from '../../../kernel/contract/line/delivery.js'
import { Durations } from './durations.js'
import { Tally } from './tally.js'

type Delivered = Extract<Settling, { readonly kind: 'delivered' }>

export class RelayCounts {
  /** By how they ended. */
  readonly ends = new Tally()
  /** Tries that failed, by word of the error catalogue. */
  readonly failures = new Tally()
  readonly firstContent = new Durations()
  /** Requests whose reported usage could not be and was bounded. */
  anomalies = 0
  private readonly rows = new Map<string, Map<string, Map<number, RelayRow>>>()

  count(settling: Settling): void {
    for (const { failure } of settling.attempts) this.failures.add(word(failure.code))
    if (settling.kind === 'abandoned') this.ends.add(settling.outcome)
    else this.delivered(settling)
  }

  *all(): Generator<RelayRow> {
    for (const formats of this.rows.values())
      for (const types of formats.values()) yield* types.values()
  }

  private delivered({ state, delivery }: Delivered): void {
    this.ends.add(delivery.end)
    if (delivery.anomaly) this.anomalies += 1
    this.firstContent.add(state.firstMs)
    const row = this.row(state.operation, state.format.name, state.channel.type)
    row.requests += 1
    if (!delivery.delivered) return
    const { usage } = delivery
    row.input += (usage.input ?? 0) + (usage.cacheRead ?? 0)
    row.input += (usage.cacheWrite5m ?? 0) + (usage.cacheWrite1h ?? 0)
    row.output += usage.output ?? 0
    row.quota += Number(delivery.quota ?? state.price.cost(usage))
  }

  private row(operation: string, format: string, channelType: number): RelayRow {
    const formats = known(this.rows, operation, () => new Map())
    const types = known(formats, format, () => new Map())
    return known(types, channelType, () => ({
      ...{ operation, format, channelType },
      ...{ requests: 0, input: 0, output: 0, quota: 0 },
    }))
  }
}

export interface RelayRow {
  readonly operation: string
  readonly format: string
  readonly channelType: number
  requests: number
  /** Tokens, cached ones included. */
  input: number
  output: number
  quota: number
}

/** Codes are words of a catalogue; nothing else can stand in a label. */
function word(code: string): string {
  return code.replace(/[^\w:.-]/g, '_').slice(0, 64)
}

function known<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
