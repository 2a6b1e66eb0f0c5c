/** Server-sent events of an answer's body, one by one as they come. */

export interface StreamEvent {
  /** Empty: none was named. */
  readonly event: string
  readonly data: string
}

const lineEnd = /\r\n|\n|\r/

/** Ends where the body ends; an event cut off there is none. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const lines = new Lines()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      yield* lines.take(done ? decoder.decode() : decoder.decode(value, { stream: true }))
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

class Lines {
  private rest = ''
  private event = ''
  private data: string[] = []

  take(text: string): readonly StreamEvent[] {
    const lines = (this.rest + text).split(lineEnd)
    this.rest = lines.pop()!
    // The line feed of a pair may come with the next piece.
    if (this.rest === '' && text.endsWith('\r')) this.rest = heldBack(lines)
    return lines.flatMap((line) => this.takeLine(line) ?? [])
  }

  private takeLine(line: string): StreamEvent | undefined {
    if (line === '') return this.whole()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.data.push(value)
    else if (field === 'event') this.event = value
    return undefined
  }

  private whole(): StreamEvent | undefined {
    const { event, data } = this
    this.event = ''
    this.data = []
    return data.length === 0 ? undefined : { event, data: data.join('\n') }
  }
}

function heldBack(lines: string[]): string {
  return `${lines.pop() ?? ''}\r`
}
