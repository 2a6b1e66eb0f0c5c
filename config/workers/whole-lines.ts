/**
 * The output of one worker as whole lines. What several processes write into one pipe is torn where a line is long; so one of them
 * writes, and a worker that dies within a line leaves nothing of it.
 */

/** Beyond it a line is ended by force. */
const lineBytesMax = 1024 * 1024
const lineBreak = 0x0a

/** `take` gets one or more whole lines, and how many. */
export function wholeLines(take: (lines: string, count: number) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = []
  let restBytes = 0

  function keep(chunk: Buffer): void {
    if (chunk.length > 0) rest.push(chunk)
    restBytes += chunk.length
    if (restBytes <= lineBytesMax) return
    const cut = Buffer.concat(rest).toString()
    forget()
    take(`${cut}\n`, 1)
  }

  function forget(): void {
    rest = []
    restBytes = 0
  }

  return (chunk) => {
    const end = chunk.lastIndexOf(lineBreak) + 1
    if (end === 0) return keep(chunk)
    const whole = [...rest, chunk.subarray(0, end)]
    forget()
    take(Buffer.concat(whole).toString(), breaksIn(chunk))
    keep(chunk.subarray(end))
  }
}

function breaksIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) count += 1
  return count
}
