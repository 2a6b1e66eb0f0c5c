/** A list of HTTP status codes as an admin writes it, such as `401,500-503`, as the test whether a status is in it. */

const lowest = 100
const highest = 599

/** Codes and ranges with commas between them, full-width ones too; empty: none. Throws a sentence that names the fault. */
export function statusCodes(text: string): (status: number) => boolean {
  const listed = new Set<number>()
  for (const part of text.split(/[,，]/)) {
    if (part.trim() !== '') include(part.trim(), listed)
  }
  return (status) => listed.has(status)
}

function include(part: string, listed: Set<number>): void {
  const [, from, to = from] = /^(\d{1,9})(?:\s*-\s*(\d{1,9}))?$/.exec(part) ?? []
  if (from === undefined) throw new Error(`${quoted(part)} is neither a status code nor a range.`)
  const [first, last] = [Number(from), Number(to)]
  if (first < lowest || last > highest) {
    throw new Error(`${quoted(part)} is outside ${lowest} to ${highest}.`)
  }
  if (first > last) throw new Error(`The range ${quoted(part)} ends before it begins.`)
  for (let status = first; status <= last; status++) listed.add(status)
}

function quoted(part: string): string {
  return JSON.stringify(part.slice(0, 50))
}
