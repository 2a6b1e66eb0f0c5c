/**
 * Bounds on outgoing calls that no option changes. What a reply may hold, and how long it may take, stands in
 * `toolkit/limits`; the stage that relays names its own times with each call.
 */
export const egressLimits = {
  /** Bytes: all response headers of an upstream together, and those of a proxy on the way. */
  headerBytesMax: 32 * 1024,
  /** Milliseconds a connection is kept for the next call. An upstream may ask for less, never for more. */
  idleConnectionMsMax: 60_000,
  /** Bytes taken from the socket before anyone consumes them; a small reply is over by then and frees its connection. */
  waitingBytesMax: 64 * 1024,
  /** Milliseconds a reply may lie unconsumed before its connection is destroyed. */
  unconsumedMs: 30_000,
  /** Milliseconds the body of a refused WebSocket may take; what came by then is the reason that is shown. */
  refusalMs: 10_000,
  /** Origins whose check is remembered, for each of admins and users: users name origins too (P14). */
  originsMax: 10_000,
  /** Proxies with connections of their own; the one used longest ago is given up for another. */
  proxiesMax: 200,
  /** Milliseconds a whole call of an OAuth provider, a notifier or a service may take, unless it names a time. */
  outgoingMsDefault: 10_000,
  /** Bytes of the reply to such a call, unless it names a size. */
  outgoingBytesMaxDefault: 1024 * 1024,
} as const
