/** What a watch sees of a frame without parsing it: its type, and where the string of a key stands. */

/**
 * The frame's type: the first one in its data, where that is an event's and not an item's, else the event name; ""
 * where neither is known.
 */
export function typeOf(frame: Buffer): string {
  const place = stringOf(frame, typeKey)
  const reported = place === undefined ? '' : frame.toString('latin1', place.from, place.to)
  return reported === 'error' || reported.startsWith('response.') ? reported : eventName(frame)
}

const typeKey = Buffer.from('"type"')

/** Only a name in the first line counts: that is where every upstream writes it. */
function eventName(frame: Buffer): string {
  if (frame.indexOf('event:') !== 0) return ''
  const line = frame.subarray('event:'.length, frame.indexOf(LF))
  return line.toString('latin1').trim()
}

/** Where the inside of the string at `key` begins and ends; undefined: no such key with a string. */
export function stringOf(
  frame: Buffer,
  key: Buffer,
): { readonly from: number; readonly to: number } | undefined {
  for (let found = frame.indexOf(key); found !== -1; found = frame.indexOf(key, found + 1)) {
    const from = stringAt(frame, found + key.length)
    if (from !== -1) return { from, to: stringEnd(frame, from) }
  }
  return undefined
}

const LF = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Index behind the opening quote of the value that follows a key which ends at `at`; -1: no string does. */
function stringAt(frame: Buffer, at: number): number {
  const colon = behindSpaces(frame, at)
  if (frame[colon] !== COLON) return -1
  const quote = behindSpaces(frame, colon + 1)
  return frame[quote] === QUOTE ? quote + 1 : -1
}

function behindSpaces(frame: Buffer, from: number): number {
  let at = from
  while (frame[at] === SPACE) at += 1
  return at
}

function stringEnd(frame: Buffer, from: number): number {
  let at = from
  while (at < frame.length && frame[at] !== QUOTE) at += frame[at] === BACKSLASH ? 2 : 1
  return Math.min(at, frame.length)
}
