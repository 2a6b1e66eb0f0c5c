/** What the main thread and the worker of the embedded database say to each other beside the connections. */
import type { MessagePort } from 'node:worker_threads'
import type { OpenOptions } from './open.js'

export interface WorkerOptions extends OpenOptions {
  readonly idleTransactionMs: number
}

export type Order =
  | { readonly kind: 'connect'; readonly port: MessagePort; readonly priority: number }
  | { readonly kind: 'snapshot'; readonly file: string }
  | { readonly kind: 'close' }

export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly order: 'snapshot' | 'close' }
  | {
      readonly kind: 'failed'
      readonly order: 'open' | 'snapshot' | 'close'
      readonly reason: string
    }
