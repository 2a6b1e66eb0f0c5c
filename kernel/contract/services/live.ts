/** News for open consoles. */
import type { JsonObject } from '../json.js'

/**
 * Tells open consoles that something changed, so that they read it again. Ids and counts only: never anybody's data.
 * Changed rows reach the consoles of every process; everything else those of the address of the process that publishes it.
 */
export interface Live {
  /** To everyone who listens to the topic and may; with `userId` to that user alone. Costs next to nothing while nobody listens. */
  publish(topic: LiveTopic, message: JsonObject, userId?: number): void
}

/**
 * `account`, `orders`, `tasks`: each user, of their own alone. The rest is for admins: progress of long work, heartbeats of
 * processes, states of breakers and keys, and rows by the topic of `Changes`, which the kernel publishes itself.
 */
export type LiveTopic =
  | 'account'
  | 'orders'
  | 'tasks'
  | 'runs'
  | 'system'
  | 'health'
  | `changes/${string}`
