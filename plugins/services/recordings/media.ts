/** Media written as base64 gives way to its size: it is large, and nobody reads it. */

/** A shorter run is a word, a key or a hash. */
const runMin = 512

/** Which bytes stand in base64, in either alphabet. */
const isCoded = new Uint8Array(256)
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=') {
  isCoded[sign.charCodeAt(0)] = 1
}

/** A run this long holds one of every so many bytes, so only these are looked at. Returns the same bytes where there is none. */
export function withoutMedia(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let copied = 0
  for (let at = runMin - 1; at < bytes.length; at += runMin) {
    if (isCoded[bytes[at]!] === 0) continue
    const [from, to] = runAround(bytes, at, copied)
    if (to - from >= runMin && looksCoded(bytes, from, to)) {
      parts.push(bytes.subarray(copied, from), Buffer.from(`[base64, ${to - from} characters]`))
      copied = to
    }
    at = Math.max(at, to)
  }
  if (parts.length === 0) return bytes
  parts.push(bytes.subarray(copied))
  return Buffer.concat(parts)
}

function runAround(bytes: Buffer, at: number, least: number): [number, number] {
  let from = at
  while (from > least && isCoded[bytes[from - 1]!] === 1) from -= 1
  let to = at + 1
  while (to < bytes.length && isCoded[bytes[to]!] === 1) to += 1
  return [from, to]
}

/** A line of dashes or of one letter is a run too, and shows that it is text. */
function looksCoded(bytes: Buffer, from: number, to: number): boolean {
  const seen = new Set<number>()
  for (let at = from; at < to && at < from + runMin; at += 1) seen.add(bytes[at]!)
  return seen.size >= 16
}

/** Of pieces of one medium, which came in several reads. */
export function joinedMedia(text: string): string {
  return text.replace(/(?:\[base64, \d{1,15} characters\]){2,}/g, (run) => {
    const sum = [...run.matchAll(/\d{3,15}/g)].reduce((all, [count]) => all + Number(count), 0)
    return `[base64, ${sum} characters]`
  })
}
