/** Answers by kind of path and class of status, how long they took, and how many were refused for a limit. */
import type { LoadedRoute } from '../../../kernel/contract/management.js'
import type { AnsweredRequest } from '../../../kernel/contract/services/traffic.js'
import { Durations } from './durations.js'

/** `page`: everything no route of the others serves. */
export const kinds = ['relay', 'management', 'health', 'page'] as const
export type Kind = (typeof kinds)[number]

export class AnswerCounts {
  private readonly relayed: ReadonlySet<string>
  private readonly byKind = new Map(kinds.map((kind) => [kind, new KindCounts()]))

  constructor(routes: readonly LoadedRoute[]) {
    const endpoints = routes.filter(({ endpoint }) => endpoint !== undefined)
    this.relayed = new Set(endpoints.map(({ declared }) => firstSegment(declared.path)))
  }

  count({ path, status, durationMs, code }: AnsweredRequest): void {
    const kind = this.kindOf(path)
    const counts = this.of(kind)
    const hundred = Math.floor(status / 100)
    counts.byClass[hundred] = (counts.byClass[hundred] ?? 0) + 1
    if (kind === 'relay' ? code === 'rate_limit_exceeded' : status === 429) counts.limited += 1
    counts.durations.add(durationMs)
  }

  of(kind: Kind): KindCounts {
    return this.byKind.get(kind)!
  }

  private kindOf(path: string): Kind {
    const first = firstSegment(path)
    if (first === 'api') return 'management'
    if (first === 'health') return 'health'
    return this.relayed.has(first) ? 'relay' : 'page'
  }
}

class KindCounts {
  /** By hundred of the status. */
  readonly byClass = [0, 0, 0, 0, 0, 0]
  limited = 0
  readonly durations = new Durations()
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end < 0 ? path.slice(1) : path.slice(1, end)
}
