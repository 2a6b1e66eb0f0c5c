/** How much is kept of requests, and how much of it may be in memory. */

/** Of one body. */
export const bodyBytesMax = 256 * 1024
/** Read beyond that, so that a secret that stands across the end is known before the text is cut. */
export const slackBytes = 4 * 1024
/** Of all bodies of one request. */
export const requestBytesMax = 2 * 1024 * 1024
/** Of all requests of a process that are under way or wait to be written. */
export const heldBytesMax = 32 * 1024 * 1024
/** Requests that are under way or wait to be written. */
export const heldMax = 5_000
/** Calls to upstreams of one request. */
export const callsMax = 16
export const headersMax = 100
export const headerCharactersMax = 4_096
