/** What others see of routing: where a caller's requests may go, and which channel takes the next try. */
import type {
  Channel,
  OperationName,
  Route,
  Token,
  User,
} from '../../../kernel/contract/exchange.js'
import type { Format } from '../../../kernel/contract/format.js'
import type { Adapter } from '../../../kernel/contract/provider.js'

export interface Routing {
  /**
   * Groups in order (ROUTE-1, ROUTE-10). `asked` is a group the client named itself, which goes before any policy (FMT-15).
   * Throws `group_not_usable` when none can be used.
   */
  plan(user: User, token: Token | undefined, asked?: string): Route
  /** The channel of the next try; undefined: none is left. */
  pick(ask: PickAsk): Picking | undefined
  /** Models of the route, each once, in order of name (ROUTE-15). */
  models(route: Route): readonly string[]
}

export interface PickAsk {
  readonly route: Route
  readonly position: number
  readonly model: string
  readonly operation: OperationName
  /** The client's. */
  readonly format: Pick<Format, 'name'>
  readonly excluded: ReadonlySet<number>
}

export interface Picking {
  readonly channel: Channel
  readonly key: string
  readonly group: string
  readonly position: number
  readonly adapter: Adapter
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    routing: Routing
  }
}
