/** Bounds on the live connections of open consoles that no option changes. */
export const liveLimits = {
  /** Milliseconds between two looks for sessions that ended some other way than by a change of their user. */
  sessionCheckMs: 25_000,
  /** Connections of one user, and of the whole process. */
  socketsPerUserMax: 20,
  socketsMax: 2000,
  /** Seconds in `Retry-After` where one of these two is reached. */
  retryAfterSeconds: 60,
  /** Bytes of one message of a console, whose greeting names every subscription at once, and its fragments. */
  messageBytesMax: 4096,
  messageFragmentsMax: 16,
  /** Topics one console is subscribed to at a time. */
  topicsMax: 32,
  /** Messages of one console within so many milliseconds; a heartbeat takes four a minute. */
  messagesMax: 120,
  messagesMs: 60_000,
  /** Events one console may leave unread before its connection is closed. */
  waitingMax: 500,
  /** Milliseconds a console may take to confirm that its connection closes. */
  closeMs: 1000,
  /** Ids one event names; beyond these a console reads everything of the topic anyway. */
  idsMax: 200,
  /** Milliseconds between two events about the same account. */
  accountMs: 1000,
} as const
