/** What passes between the primary process and its workers. */
import type { Json } from '../../kernel/contract/json.js'

/** What one worker publishes: topic and message. */
export type News = readonly (readonly [topic: string, message: Json])[]

export interface Ready {
  /** Origin it listens at. */
  readonly address: string
  /** Absent: the gateway is set up already. */
  readonly setupCode?: string
}

/** `joined`: it is about to listen, and hears of what others do from now on. */
export type ToPrimary =
  | ({ readonly kind: 'ready' } & Ready)
  | { readonly kind: 'joined' }
  | { readonly kind: 'news'; readonly news: News }
  | ({ readonly kind: 'question' } & Question)
  | { readonly kind: 'reply'; readonly to: number; readonly id: number; readonly reply: Json }

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'news'; readonly from: number; readonly news: News }
  | ({ readonly kind: 'question'; readonly from: number } & Question)
  /** Whom a question was passed on to; stands before their replies. */
  | { readonly kind: 'asked'; readonly id: number; readonly whom: readonly number[] }
  | { readonly kind: 'reply'; readonly from: number; readonly id: number; readonly reply: Json }
  | {
      readonly kind: 'gone'
      readonly number: number
      readonly nodeName: string
      readonly pid: number
    }
  /** Lines of the log that the primary dropped since it last said so. */
  | { readonly kind: 'dropped'; readonly lines: number }

export interface Question {
  readonly id: number
  readonly topic: string
  readonly question: Json
}
